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

const policy = (frames: ReadonlyArray<string>) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(" ")}`,
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'"
  ].join("; ")

const pageHeaders = (frames: ReadonlyArray<string>) => ({
  "content-security-policy": policy(frames),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache"
})

// The names contain a hash of the content.
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }

const readFile = (path: string): StaticFile => ({
  contentType: contentTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
  plain: readFileSync(path),
  br: readFileSync(`${path}.br`),
  gzip: readFileSync(`${path}.gz`)
})

const page = "index.html"

interface DashboardOptions {
  /** A folder with `index.html` and its assets, each also compressed (`.br`, `.gz`). */
  readonly dashboard?: string | undefined
  readonly shareFrames?: ReadonlyArray<string> | undefined
}

/**
 * Serves the dashboard at `/`, and with a share link at `/share/` and its token. The files are read once. Without a folder, `/` leads to
 * the description of the API.
 */
export const layer = ({ dashboard: folder, shareFrames = [] }: DashboardOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      if (folder === undefined) return yield* router.add("GET", "/", HttpServerResponse.redirect("/docs"))
      const index = readFile(join(folder, page))
      yield* router.add("GET", "/", serve(index, pageHeaders([])))
      yield* router.add("GET", "/share/:token", serve(index, pageHeaders(shareFrames)))
      for (const name of readdirSync(folder)) {
        if (!/\.(?:css|js)$/.test(name)) continue
        yield* router.add("GET", `/assets/${name}`, serve(readFile(join(folder, name)), assetHeaders))
      }
    })
  )
