import type { TrustedProxies } from "../../access/ClientAddress.ts"
import type { CorsOrigins } from "./RecordingCors.ts"

export interface RecordingOptions {
  /** Bytes of one click's body, as sent and unpacked. */
  readonly maxBody: number
  /** Bytes of the body of many clicks, as sent and unpacked. */
  readonly maxBatchBody: number
  /** Clicks in one request. */
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
