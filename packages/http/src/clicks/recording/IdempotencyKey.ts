import type { Headers } from "effect/http"
import { keyIgnored, type Notices, noNotices } from "./recordingNotices.ts"

const visible = /^[\x21-\x7e]{1,255}$/

/** The key of a request. One that is not 1 to 255 visible ASCII characters is ignored, with a notice. */
export const idempotencyKey = (
  headers: Headers.Headers
): { readonly key: string | undefined; readonly notices: Notices } => {
  const key = headers["idempotency-key"]
  return key === undefined || visible.test(key)
    ? { key, notices: noNotices }
    : { key: undefined, notices: keyIgnored }
}
