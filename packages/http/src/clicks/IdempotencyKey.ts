import type { Headers } from "effect/http"

const visible = /^[\x21-\x7e]{1,255}$/

/** The key of a request; `ignored` when there is one that is not 1 to 255 visible ASCII characters. */
export const idempotencyKey = (
  headers: Headers.Headers
): { readonly key: string | undefined; readonly ignored: boolean } => {
  const key = headers["idempotency-key"]
  if (key === undefined) return { key, ignored: false }
  return visible.test(key) ? { key, ignored: false } : { key: undefined, ignored: true }
}
