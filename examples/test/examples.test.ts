import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))

/** A folder as another service has it: the published form of our packages in node_modules, compiled examples, no sources. */
let service: string

const install = async (name: string) => {
  const source = join(root, "packages", name)
  const published = join(service, "node_modules/@clicks", name)
  await mkdir(published, { recursive: true })
  const { publishConfig, ...manifest } = JSON.parse(await readFile(join(source, "package.json"), "utf8"))
  await writeFile(join(published, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }))
  await cp(join(source, "dist"), join(published, "dist"), { recursive: true })
}

beforeAll(async () => {
  await run(join(root, "node_modules/.bin/tsc"), ["--build", "examples"], { cwd: root })
  service = await mkdtemp(join(tmpdir(), "clicks-embedder-"))
  await install("core")
  await install("worker")
  const effect = dirname(dirname(fileURLToPath(import.meta.resolve("effect"))))
  await symlink(effect, join(service, "node_modules/effect"))
  await writeFile(join(service, "package.json"), JSON.stringify({ type: "module" }))
  await cp(join(root, "examples/dist"), service, { recursive: true })
})

afterAll(() => rm(service, { recursive: true, force: true }))

describe.each([
  ["with-effect", "mobile"],
  ["with-promises", "tablet"]
])("the compiled example %s, in a service that installed the core", (example, device) => {
  it("records, refuses and lists", async () => {
    const { stdout } = await run(process.execPath, [join(service, `${example}.js`)])
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^stored as [0-9a-f-]{36}$/),
      "refused: action is required and must be one of: view, open_store, open_product, compare, other",
      `1 in all, from a ${device}`,
      ""
    ])
  })
})

describe("the compiled example own-tasks, in a service that installed the core and the worker", () => {
  it("does a task of its own kind, again after it failed", async () => {
    const { stdout } = await run(process.execPath, [join(service, "own-tasks.js")])
    expect(stdout).toMatch(
      /The attempt failed: Nobody is at home[\s\S]*\nHello, Zoë!\nsucceeded after 2 attempts\n$/
    )
  })
})
