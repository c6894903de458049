import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestCaller, sessionOf } from "./access/RequestCaller.ts"
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

// The browser requests these files as soon as it has the headers.
const linksIn = (html: string): string =>
  Array.from(
    html.matchAll(/<(?:script|link) [^>]*(?:src|href)="(\/assets\/[^"]+)"/g),
    ([, path = ""]) => `<${path}>; rel=preload; as=${path.endsWith(".css") ? "style" : "script"}`
  ).join(", ")

// Removed from pages that contain their session.
const preload = /<link rel="preload" href="\/api\/session"[^>]*>/

// A data block, which the page's policy allows because it is not a script. A user id must not close the element.
const sessionElement = (session: object): string =>
  `<script type="application/json" id="session">${JSON.stringify(session).replaceAll("<", "\\u003c")}</script>`

// When a link on another site leads here, the browser omits the session cookie (SameSite=Strict). `Sec-Fetch-Site`, sent on secure
// connections, shows whether it did.
const sendsCookies = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  ["none", "same-origin"].includes(headers["sec-fetch-site"] ?? "")

// A database that does not answer must not keep the page from opening.
const patience = "250 millis"

/** Serves the page with the session embedded, which saves a round trip, or the unchanged file if the session is not known in time. */
const servePage = Effect.fnUntraced(function* (file: StaticFile) {
  const { identify } = yield* RequestCaller
  const html = new TextDecoder().decode(file.plain)
  const headers = { ...pageHeaders([]), link: linksIn(html) }
  const unchanged = serve(file, headers)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const found = yield* identify(request).pipe(
      Effect.timeout(patience),
      Effect.map(sessionOf),
      Effect.option
    )
    const session = Option.getOrUndefined(found)
    if (session === undefined || (session.role === null && !sendsCookies(request))) return yield* unchanged
    return HttpServerResponse.text(
      html.replace(preload, () => sessionElement(session)),
      {
        contentType: file.contentType,
        headers: { ...headers, "cache-control": "no-store", "x-content-type-options": "nosniff" }
      }
    )
  })
})

const page = "index.html"

interface DashboardOptions {
  /** A folder with `index.html` and its assets, each also compressed (`.br`, `.gz`). */
  readonly dashboard?: string | undefined
  readonly shareFrames?: ReadonlyArray<string> | undefined
}

/**
 * Serves the dashboard at `/` and, for share links, at `/share/` followed by the token. The files are read once. Without a folder, `/`
 * redirects to `/docs`.
 */
export const layer = ({ dashboard: folder, shareFrames = [] }: DashboardOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      if (folder === undefined) return yield* router.add("GET", "/", HttpServerResponse.redirect("/docs"))
      const index = readFile(join(folder, page))
      yield* router.add("GET", "/", yield* servePage(index))
      yield* router.add("GET", "/share/:token", serve(index, pageHeaders(shareFrames)))
      for (const name of readdirSync(folder)) {
        if (!/\.(?:css|js)$/.test(name)) continue
        yield* router.add("GET", `/assets/${name}`, serve(readFile(join(folder, name)), assetHeaders))
      }
    })
  )
