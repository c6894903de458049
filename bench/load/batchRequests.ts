import { gzipSync } from "node:zlib"
import { clickBodies } from "./clickRequests.ts"

/** A request with many clicks. */
export interface BatchRequest {
  readonly clicks: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const json = { "Content-Type": "application/json" }
const packed = { ...json, "Content-Encoding": "gzip" }

const clicks = 1_000

/** 1,000 clicks with the required fields only: 56 kB. */
export const smallBatch: BatchRequest = {
  clicks,
  headers: json,
  body: new Uint8Array(
    Buffer.from(`[${'{"product_id":"p-1","action":"view","source":"web"},'.repeat(clicks).slice(0, -1)}]`)
  )
}

/** 1,000 clicks with all fields: 300 kB, compressed to a twentieth. */
export const packedBatch: BatchRequest = {
  clicks,
  headers: packed,
  body: new Uint8Array(
    gzipSync(`[${Array.from({ length: clicks }, (_, n) => clickBodies[n % clickBodies.length]).join(",")}]`)
  )
}

const depth = 9_100

/** 56 clicks with a value that is nested 9,100 deep: 1 MB, compressed to 1.4 kB. */
export const nestedBatch: BatchRequest = {
  clicks: 56,
  headers: packed,
  body: new Uint8Array(
    gzipSync(
      `[${`{"product_id":"p-1","action":"view","source":"web","store_id":${"[".repeat(depth)}${"]".repeat(depth)}},`
        .repeat(56)
        .slice(0, -1)}]`,
      { level: 9 }
    )
  )
}
