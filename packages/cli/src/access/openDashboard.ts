import { spawn } from "node:child_process"
import { Effect } from "effect"
import { CommandFailed } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { isRunning, serviceUrl } from "../service/serviceUrl.ts"
import { Settings } from "../settings/Settings.ts"
import * as Output from "../terminal/Output.ts"
import { loginLink } from "./loginLink.ts"

const openers: Partial<Record<NodeJS.Platform, ReadonlyArray<string>>> = {
  darwin: ["open"],
  // `start` is a built-in of the shell, which would cut the URL at an &.
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Opens a URL in the user's browser. A failure after the opener has started goes unnoticed. */
const openInBrowser = (url: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const [program = "xdg-open", ...args] = openers[process.platform] ?? []
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true })
    child.on("error", () => resume(Effect.void))
    child.on("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  })

interface OpenOptions extends Output.Format {
  readonly browser: boolean
}

/** `clicks open`: logs the user of this machine in to the dashboard of the service that runs on it. */
export const openDashboard = Effect.fn("openDashboard")(function* ({ browser, json }: OpenOptions) {
  const url = serviceUrl(yield* Settings)
  if (!(yield* Effect.promise(() => isRunning(url)))) {
    const message = `No service responds at ${url}. Start it with "clicks start", or set HOST and PORT to those of the running service`
    return yield* new CommandFailed({ message })
  }
  const link = yield* Effect.provide(loginLink(url), Database.layer)
  yield* json ? Output.json({ link }) : Output.line(link)
  if (browser && !json) yield* openInBrowser(link)
  if (!json) yield* Output.note("The link works once and expires after a minute")
})
