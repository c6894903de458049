import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A file and its compressed forms. */
export interface StaticFile {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly br?: Uint8Array
  readonly gzip: Uint8Array
}

// `q=0` excludes an encoding.
const accepts = (accepted: string, encoding: string): boolean =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i").test(accepted)

/** Responds with the file in the best encoding that the client accepts, or with 304 if the client has the file already. */
export const serve = (
  { br, contentType, gzip, plain }: StaticFile,
  headers: Readonly<Record<string, string>>
) => {
  // Weak: it is the same for all encodings of the file.
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url")}"`
  const all = {
    ...headers,
    "content-type": contentType,
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    etag
  }
  const encoded = (body: Uint8Array, encoding: string) =>
    HttpServerResponse.uint8Array(body, { headers: { ...all, "content-encoding": encoding } })
  const unchanged = HttpServerResponse.empty({ status: 304, headers: all })
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.headers["if-none-match"]?.includes(etag)) return unchanged
    const accepted = request.headers["accept-encoding"] ?? ""
    if (br !== undefined && accepts(accepted, "br")) return encoded(br, "br")
    if (accepts(accepted, "gzip")) return encoded(gzip, "gzip")
    return HttpServerResponse.uint8Array(plain, { headers: all })
  })
}
