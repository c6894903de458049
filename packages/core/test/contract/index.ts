/**
 * The contract of each port as a suite of tests for Vitest: `ClickStoreContract.suite("in my database", layer)`. Every suite shares one
 * layer, which is empty at first.
 */
export * as ApiKeysContract from "./access/ApiKeysContract.ts"
export * as SessionsContract from "./access/SessionsContract.ts"
export * as TrustedOriginsContract from "./access/TrustedOriginsContract.ts"
export * as ClickAnalyticsContract from "./analytics/ClickAnalyticsContract.ts"
export * as ClickArrivalsContract from "./clicks/ClickArrivalsContract.ts"
export * as ClickStoreContract from "./clicks/ClickStoreContract.ts"
export * as QuarantineContract from "./clicks/QuarantineContract.ts"
export * as SpoolContract from "./clicks/SpoolContract.ts"
export * as ArchiveFaults from "./clicks/tiers/ArchiveFaults.ts"
export * as ClickArchiveContract from "./clicks/tiers/ClickArchiveContract.ts"
export * as HotClicksContract from "./clicks/tiers/HotClicksContract.ts"
export * as MoverTrialsContract from "./clicks/tiers/MoverTrialsContract.ts"
export * as TierStepsContract from "./clicks/tiers/TierStepsContract.ts"
export { movingLayer } from "./clicks/tiers/tieredLayer.ts"
export * as StorePayloadsContract from "./stores/StorePayloadsContract.ts"
export * as StoresContract from "./stores/StoresContract.ts"
export * as CrawlSchedulesContract from "./tasks/CrawlSchedulesContract.ts"
export * as TaskLeasesContract from "./tasks/TaskLeasesContract.ts"
export * as TaskQueueContract from "./tasks/TaskQueueContract.ts"
