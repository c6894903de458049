/**
 * The contract of each port as a suite of tests for Vitest: `ClickStoreContract.suite("in my database", layer)`. Every suite shares one
 * layer, which is empty at first.
 */
export * as ApiKeysContract from "./ApiKeysContract.ts"
export * as ArchiveFaults from "./ArchiveFaults.ts"
export * as ClickAnalyticsContract from "./ClickAnalyticsContract.ts"
export * as ClickArchiveContract from "./ClickArchiveContract.ts"
export * as ClickArrivalsContract from "./ClickArrivalsContract.ts"
export * as ClickStoreContract from "./ClickStoreContract.ts"
export * as CrawlSchedulesContract from "./CrawlSchedulesContract.ts"
export * as HotClicksContract from "./HotClicksContract.ts"
export * as MoverTrialsContract from "./MoverTrialsContract.ts"
export * as QuarantineContract from "./QuarantineContract.ts"
export * as SessionsContract from "./SessionsContract.ts"
export * as SpoolContract from "./SpoolContract.ts"
export * as StorePayloadsContract from "./StorePayloadsContract.ts"
export * as StoresContract from "./StoresContract.ts"
export * as TaskLeasesContract from "./TaskLeasesContract.ts"
export * as TaskQueueContract from "./TaskQueueContract.ts"
export * as TierStepsContract from "./TierStepsContract.ts"
export * as TrustedOriginsContract from "./TrustedOriginsContract.ts"
export { movingLayer } from "./tieredLayer.ts"
