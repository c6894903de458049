import * as TrackingScript from "@clicks/http/clicks/TrackingScript"
import { Effect } from "effect"
import { CommandFailed } from "../CommandError.ts"
import { trackingScripts } from "../service/builtFiles.ts"
import { serviceUrl } from "../service/serviceUrl.ts"
import { Settings } from "../settings/Settings.ts"
import * as Output from "../terminal/Output.ts"

interface SdkOptions extends Output.Format {
  readonly shop: string
  readonly url?: string
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Why pages of a shop cannot record with the service at `url`, and what to do about it; undefined if they can. */
const problemOf = async (shop: string, url: string, versionedPath: string): Promise<string | undefined> => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  const { hostname, protocol } = new URL(url)
  if (shop.startsWith("https:") && protocol === "http:" && !loopback.test(hostname))
    return `Browsers block scripts from http URLs on pages of ${shop}. Serve Clicks over https and pass that address with --url`
  const served = await ask(versionedPath)
  if (served === undefined)
    return `${url} does not respond, so nothing was checked. Start the service, or pass its address with --url`
  if (!served.ok)
    return `${url} does not serve this version of the script (${served.status}). Run this command in the version that the service runs`
  const headers = { origin: shop, "access-control-request-method": "POST" }
  const preflight = await ask("/api/events/product-clicks", { method: "OPTIONS", headers })
  if (preflight?.headers.get("access-control-allow-origin") !== shop)
    return `Pages of ${shop} may not read the responses of ${url}. Add ${shop} to CLICKS_CORS_ORIGINS of the service and restart it`
  return undefined
}

/** `clicks sdk`: prints the snippet for a shop, and checks that its pages may record. */
export const sdk = Effect.fn("sdk")(function* ({ json, shop, url: given }: SdkOptions) {
  const [file] = trackingScripts()
  if (file === undefined) {
    return yield* new CommandFailed({ message: 'The script is not built. Run "node scripts/bootstrap.mjs"' })
  }
  const url = given ?? serviceUrl(yield* Settings)
  const { integrity, versionedPath } = TrackingScript.read(file)
  const script = url + versionedPath
  const snippet = `<script src="${script}" integrity="${integrity}" crossorigin="anonymous" defer></script>`
  const problem = yield* Effect.promise(() => problemOf(shop, url, versionedPath))
  if (json) yield* Output.json({ snippet, script, integrity, shop, problem: problem ?? null })
  else yield* Output.line(snippet)
  if (problem !== undefined) return yield* new CommandFailed({ message: problem })
  if (loopback.test(new URL(url).hostname)) {
    yield* Output.note(
      `${url} is reachable from this machine only: pass the public address of the service with --url`
    )
  }
  yield* Output.note(`Pages of ${shop} may record clicks`)
})
