// Takes the screenshot of the dashboard in README.md: `npm run picture`. It shows sample clicks in a temporary database.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { TestBrowser } from "./browser.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "clicks-picture-"))
const options = { cwd: root, env: { ...process.env, PORT: "0", CLICKS_DATA_DIR: folder } }
const program = join(root, "packages/cli/bin/clicks.mjs")

const service = spawn(process.execPath, [program, "start", "--json"], {
  ...options,
  stdio: ["ignore", "pipe", "inherit"]
})

const picture = (url: string, key: string) =>
  Effect.gen(function* () {
    const visitor = yield* TestBrowser.visitor({
      locale: "en-US",
      timezoneId: "America/Phoenix",
      viewport: { width: 1280, height: 850 }
    })
    yield* Effect.promise(async () => {
      const page = await visitor.newPage()
      await page.goto(`${url}/`)
      await page.getByLabel("Key", { exact: true }).fill(key)
      await page.getByRole("button", { name: "Log in" }).click()
      await page.locator(".plot canvas").waitFor()
      await page.screenshot({ path: join(root, "docs/dashboard.png") })
    })
  })

try {
  const [line] = await once(service.stdout.setEncoding("utf8"), "data")
  const { admin_key, url } = JSON.parse(line)
  execFileSync(process.execPath, [program, "demo"], { ...options, stdio: "inherit" })
  await Effect.runPromise(Effect.scoped(Effect.provide(picture(url, admin_key), TestBrowser.layer)))
} finally {
  service.kill("SIGTERM")
  await once(service, "exit")
  rmSync(folder, { recursive: true, force: true })
}
