import { hash } from "node:crypto"
import { keyText } from "@clicks/core/clicks/recording/ClickSubmission"
import * as Uuid from "@clicks/core/values/Uuid"
import type { Sender } from "./clickOrigin.ts"
import { keyIgnored, type Notices, noNotices } from "./recordingNotices.ts"

const visible = /^[\x21-\x7e]{1,255}$/

/** The idempotency key of a request, with notices for its sender. */
export interface IdempotencyKey {
  readonly key: string | undefined
  readonly notices: Notices
  /** Why the request is rejected, if it is. */
  readonly conflict?: string
}

const none: IdempotencyKey = { key: undefined, notices: noNotices }

const parse = (key: string, name: string): IdempotencyKey =>
  visible.test(key) ? { key, notices: noNotices } : { key: undefined, notices: keyIgnored(name) }

/**
 * Reads the key of a request: its `Idempotency-Key` header, or `?key=`, which needs no CORS preflight. A key that is not 1 to 255 visible
 * ASCII characters is ignored, with a notice.
 */
export const of = ({ headers, url }: Pick<Sender, "headers" | "url">): IdempotencyKey => {
  const header = headers["idempotency-key"]
  const query = url.indexOf("?")
  const parameters = query === -1 ? [] : new URLSearchParams(url.slice(query + 1)).getAll("key")
  const [parameter] = parameters
  if (parameter === undefined) return header === undefined ? none : parse(header, "Idempotency-Key")
  const isOne = parameters.every((other) => other === (header ?? parameter))
  return isOne
    ? parse(parameter, "key")
    : { ...none, conflict: "Idempotency-Key and key differ. Send one key: as a header or as ?key=" }
}

/** Like core's `idOfKey`, but synchronous: it takes a tenth of the 15 µs of the Web Crypto API. */
export const idOf = (userId: string | null, key: string): Uuid.Uuid =>
  Uuid.fromDigest(hash("sha256", keyText(userId, key), "buffer"))
