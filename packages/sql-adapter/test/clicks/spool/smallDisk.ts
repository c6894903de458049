import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

const run = (command: string, ...parameters: ReadonlyArray<string>): void =>
  void execFileSync(command, parameters, { stdio: "ignore" })

/** A separate file system of `bytes` bytes, removed when the scope closes. Works only on Linux as root. */
export const smallDisk = (bytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = mkdtempSync(join(tmpdir(), "clicks-disk-"))
      run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path)
      return {
        path,
        makeReadOnly: Effect.sync(() => run("mount", "-o", "remount,ro", path)),
        makeWritable: Effect.sync(() => run("mount", "-o", "remount,rw", path))
      }
    }),
    ({ path }) =>
      Effect.sync(() => {
        run("umount", path)
        rmSync(path, { recursive: true })
      })
  )

/** Whether this machine supports it. */
export const canHaveSmallDisk = (): boolean => {
  try {
    Effect.runSync(Effect.scoped(smallDisk(65_536)))
    return true
  } catch {
    return false
  }
}
