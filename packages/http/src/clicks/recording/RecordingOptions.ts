import type { TrustedProxies } from "../../access/ClientAddress.ts"
import type { CorsOrigins } from "./RecordingCors.ts"

export interface RecordingOptions {
  /** The maximum size of the body of one click in bytes, compressed and decompressed. */
  readonly maxBody: number
  /** The maximum size of the body of many clicks in bytes, compressed and decompressed. */
  readonly maxBatchBody: number
  /** The maximum number of clicks in one request. */
  readonly maxBatch: number
  readonly corsOrigins: CorsOrigins
  readonly trustedProxies: TrustedProxies
}

export const defaultRecordingOptions: RecordingOptions = {
  maxBody: 64 * 1024,
  maxBatchBody: 1024 * 1024,
  maxBatch: 1_000,
  corsOrigins: "*",
  trustedProxies: []
}
