import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import { type StaticFile, serve } from "../../responses/staticFile.ts"

/** The script that pages include to record their clicks: the file `dist/clicks.v1.js` of `@clicks/browser`. */
export interface TrackingScript {
  readonly content: Uint8Array
  /** The path at which this content is served forever. */
  readonly versionedPath: `/${string}`
  /** The value of the `integrity` attribute for this content. */
  readonly integrity: string
}

const path = "/clicks.v1.js"

/** The paths of the script. The name of the versioned one contains a hash. */
export const paths = [path, "/clicks.v1.:hash.js"] as const

const digest = (algorithm: string, content: Uint8Array) => createHash(algorithm).update(content)

export const read = (file: string): TrackingScript => {
  const content = readFileSync(file)
  const hash = digest("sha256", content).digest("hex").slice(0, 12)
  return {
    content,
    versionedPath: `/clicks.v1.${hash}.js`,
    integrity: `sha384-${digest("sha384", content).digest("base64")}`
  }
}

const headers = {
  // Lets pages of all origins include the script, also with Subresource Integrity and under cross-origin isolation.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin"
}

const compressed = (plain: Uint8Array): StaticFile => ({
  contentType: "text/javascript; charset=utf-8",
  plain,
  br: brotliCompressSync(plain),
  gzip: gzipSync(plain, { level: 9 })
})

const serveScript = (content: Uint8Array, caching: string) =>
  serve(compressed(content), { ...headers, "cache-control": caching })

/** Serves each of these scripts at its versioned path, and the first at `/clicks.v1.js`. */
export const layer = (
  files: ReadonlyArray<string> = []
): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const scripts = files.map(read)
  const contents = new Map(scripts.map(({ content, versionedPath }) => [versionedPath, content]))
  return HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      if (scripts[0]) yield* router.add("GET", path, serveScript(scripts[0].content, "public, max-age=300"))
      for (const [versionedPath, content] of contents)
        yield* router.add("GET", versionedPath, serveScript(content, "public, max-age=31536000, immutable"))
    })
  )
}
