import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, assert, describe, it, vi } from "vitest"
import { serverPort } from "../../src/embedded/PidFile.ts"

const { platform } = process

afterEach(() => {
  vi.restoreAllMocks()
  Object.defineProperty(process, "platform", { value: platform })
})

describe("serverPort", () => {
  it("does not take a process that cannot be signalled for the server (on Windows, a system process)", () => {
    const cluster = mkdtempSync(join(tmpdir(), "clicks-pid-"))
    const file = join(cluster, "postmaster.pid")
    writeFileSync(file, ["4", cluster, "1", "20000", "", "127.0.0.1", "", "ready", ""].join("\n"))
    Object.defineProperty(process, "platform", { value: "win32" })
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" })
    })
    assert.isUndefined(Effect.runSync(serverPort(cluster)))
    assert.match(readFileSync(file, "utf8"), /^2147483647\n/)
    rmSync(cluster, { recursive: true })
  })
})
