import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import type { Received, Tracker } from "./Tracker.ts"

const run = promisify(execFile)

/** A file of a package, downloaded with npm. */
const fileOf = async (specifier: string, path: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "clicks-bench-"))
  try {
    await run("npm", ["pack", specifier, "--pack-destination", folder, "--loglevel=error"])
    await run("sh", ["-c", "tar -xzf *.tgz"], { cwd: folder })
    return await readFile(join(folder, "package", path), "utf8")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Published {
  readonly name: string
  readonly package: string
  readonly path: string
  readonly attributes: string
  readonly adapt: (source: string) => string
  readonly send: string
  readonly clickOf: (body: never) => Received | undefined
}

const plausible: Published = {
  name: "Plausible",
  package: "@plausible-analytics/tracker@0.4.6",
  path: "plausible.js",
  attributes: 'type="module"',
  adapt: (source) =>
    `${source}
    const endpoint = new URL("/collect", import.meta.url).href
    init({ domain: "shop.test", endpoint, captureOnLocalhost: true, autoCapturePageviews: false })
    window.send = (id, store) => track("Click", { props: { id, store } })`,
  send: "",
  clickOf: (body: { readonly p?: Received }) => body.p
}

const umami: Published = {
  name: "Umami",
  package: "umami@2.10.0",
  path: "src/tracker/index.js",
  attributes: 'data-website-id="w" data-auto-track="false"',
  adapt: (source) => source.replaceAll("/api/send", "/collect"),
  send: 'window.send = (id, store) => umami.track("click", { id, store })',
  clickOf: (body: { readonly payload?: { readonly data?: Received } }) => body.payload?.data
}

/** Serves a published script and collects what it sends. */
const collecting = async (
  published: Published
): Promise<Tracker & { readonly stop: () => Promise<void> }> => {
  const script = published.adapt(await fileOf(published.package, published.path))
  const received: Array<Received> = []
  const server = createServer(async (request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
    if (request.method === "POST") {
      const click = published.clickOf(JSON.parse(await text(request)) as never)
      if (click !== undefined) received.push({ id: click.id, store: click.store })
    }
    const body = request.method === "GET" ? script : "ok"
    response.writeHead(200, { ...cors, "content-type": "text/javascript" }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    name: published.name,
    service: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    head: (origin) =>
      `<script src="${origin}/script.js" ${published.attributes}></script><script>${published.send}</script>`,
    received: async () => received,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** Trackers that others publish on npm. Reports the ones that cannot be downloaded, and why. */
export const publishedTrackers = async () => {
  const found = []
  for (const published of [plausible, umami]) {
    try {
      found.push(await collecting(published))
    } catch (error) {
      console.log(
        `${published.name} is left out: ${published.package} cannot be fetched from npm (${String(error).split("\n")[0]})`
      )
    }
  }
  return found
}
