import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'"
].join("; ")

const common = { "x-content-type-options": "nosniff", vary: "accept-encoding" }

const pageHeaders = {
  ...common,
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache"
}

// The names contain a hash of the content.
const assetHeaders = { ...common, "cache-control": "public, max-age=31536000, immutable" }

interface File {
  readonly contentType: string
  readonly plain: Uint8Array
  readonly br: Uint8Array
  readonly gzip: Uint8Array
  readonly etag: string
}

const readFile = (path: string): File => {
  const plain = readFileSync(path)
  return {
    contentType: contentTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    plain,
    br: readFileSync(`${path}.br`),
    gzip: readFileSync(`${path}.gz`),
    // Weak: it stands for the file in every encoding.
    etag: `W/"${createHash("sha256").update(plain).digest("base64url")}"`
  }
}

// `q=0` refuses an encoding.
const accepts = (accepted: string, encoding: string): boolean =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i").test(accepted)

const serve = (file: File, headers: Readonly<Record<string, string>>) => {
  const { br, contentType, etag, gzip, plain } = file
  const all = { ...headers, etag, "content-type": contentType }
  const encoded = (body: Uint8Array, encoding?: string) =>
    HttpServerResponse.uint8Array(body, {
      headers: encoding === undefined ? all : { ...all, "content-encoding": encoding }
    })
  const unchanged = HttpServerResponse.empty({ status: 304, headers: all })
  const responses = { br: encoded(br, "br"), gzip: encoded(gzip, "gzip"), plain: encoded(plain) }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.headers["if-none-match"]?.includes(etag)) return unchanged
    const accepted = request.headers["accept-encoding"] ?? ""
    if (accepts(accepted, "br")) return responses.br
    return accepts(accepted, "gzip") ? responses.gzip : responses.plain
  })
}

const page = "index.html"

/**
 * Serves the dashboard at `/`, from a folder with `index.html` and its assets, each also compressed (`.br`, `.gz`). The files are read
 * once. Without a folder, `/` leads to the description of the API.
 */
export const layer = (folder: string | undefined) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      if (folder === undefined) return yield* router.add("GET", "/", HttpServerResponse.redirect("/docs"))
      yield* router.add("GET", "/", serve(readFile(join(folder, page)), pageHeaders))
      for (const name of readdirSync(folder)) {
        if (!/\.(?:css|js)$/.test(name)) continue
        yield* router.add("GET", `/assets/${name}`, serve(readFile(join(folder, name)), assetHeaders))
      }
    })
  )
