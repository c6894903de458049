import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { locateDataDir } from "../../src/settings/dataDir.ts"

const before = process.cwd()
const root = realpathSync(mkdtempSync(join(tmpdir(), "clicks-data-dir-")))
const below = join(root, "a/b")

beforeAll(() => mkdirSync(below, { recursive: true }))
afterAll(() => {
  process.chdir(before)
  rmSync(root, { recursive: true })
})

const from = (folder: string, given?: string) => {
  process.chdir(folder)
  return locateDataDir(given)
}

// Each worker of the test run is a separate process, so a test may change its current folder.
describe("the data folder", () => {
  it("is the nearest .clicks in the current folder or above, else a new one in the current folder", () => {
    assert.strictEqual(from(below), join(below, ".clicks"))
    mkdirSync(join(root, ".clicks"))
    assert.strictEqual(from(below), join(root, ".clicks"))
    mkdirSync(join(root, "a/.clicks"))
    assert.strictEqual(from(below), join(root, "a/.clicks"))
  })

  it("is the given folder, relative to the current one", () => {
    assert.strictEqual(from(below, "data"), join(below, "data"))
    assert.strictEqual(from(below, "/var/lib/clicks"), "/var/lib/clicks")
  })
})
