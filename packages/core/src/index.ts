/**
 * The front door for services that use Effect: one namespace a concept, as in `ClickRecorder.layer`. Every module is also
 * at its own path (`@clicks/core/clicks/ClickRecorder`); services without Effect take `@clicks/core/promise`.
 */
export * as ApiKeys from "./access/ApiKeys.ts"
export * as ApiKeysMemory from "./access/ApiKeysMemory.ts"
export * as Authentication from "./access/authenticate.ts"
export * as Caller from "./access/Caller.ts"
export * as TokenVerifier from "./access/TokenVerifier.ts"
export * as ClickEvent from "./clicks/ClickEvent.ts"
export * as ClickFilter from "./clicks/ClickFilter.ts"
export * as ClickInput from "./clicks/ClickInput.ts"
export * as ClickQuery from "./clicks/ClickQuery.ts"
export * as ClickReceipt from "./clicks/ClickReceipt.ts"
export * as ClickRecorder from "./clicks/ClickRecorder.ts"
export * as ClickStore from "./clicks/ClickStore.ts"
export * as ClickStoreMemory from "./clicks/ClickStoreMemory.ts"
export * as ClickSubmission from "./clicks/ClickSubmission.ts"
export * as DeviceType from "./clicks/DeviceType.ts"
export * as Quarantine from "./clicks/Quarantine.ts"
export * as QuarantineMemory from "./clicks/QuarantineMemory.ts"
