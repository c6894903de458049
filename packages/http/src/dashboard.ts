import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type StaticFile, serve } from "./responses/staticFile.ts"

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

const pageHeaders = {
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache"
}

// The names contain a hash of the content.
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }

const readFile = (path: string): StaticFile => ({
  contentType: contentTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
  plain: readFileSync(path),
  br: readFileSync(`${path}.br`),
  gzip: readFileSync(`${path}.gz`)
})

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
