import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "./temporaryFolder.ts"

const hasStrace = (): boolean => {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const isPossible = hasStrace()
if (!isPossible) console.log("Not tested: that the log is synced before an answer. That needs strace")

/** Runs the writer for some lines and returns its system calls on files, in order. */
const traced = (directory: string, lines: number) =>
  Effect.promise(() => {
    const trace = `${dirname(directory)}/trace`
    const writer = fileURLToPath(new URL("./writer.ts", import.meta.url))
    const calls = "trace=openat,write,writev,pwrite64,pwritev,fsync,fdatasync"
    const child = spawn(
      "strace",
      ["-f", "-y", "-s", "16", "-e", calls, "-o", trace, process.execPath, writer, directory, "mixed"],
      { stdio: ["pipe", "pipe", "inherit"] }
    )
    let seen = 0
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString().split("\n").length - 1
      if (seen >= lines) child.stdin.end()
    })
    return new Promise<ReadonlyArray<string>>((resolve) =>
      child.once("close", () => resolve(readFileSync(trace, "utf8").split("\n")))
    )
  })

const creates = (call: string) => /openat\(.*\.log", [^)]*O_CREAT/.test(call)
const writes = (call: string) => /pwrite(64|v)\(\d+<[^>]*\.log>/.test(call)
const beginsSync = (call: string) => /f(data)?sync\(\d+<([^>]*)>/.exec(call)?.[2]
const isAnswer = (call: string) => call.includes("write(1<") && call.includes("appended")

/** Acknowledgements that were sent before a write, or the name of a new segment, was synced to disk. */
const earlyAnswers = (directory: string, calls: ReadonlyArray<string>) => {
  let [answers, early, created] = [0, 0, 0]
  const unsynced = new Set<"content" | "name">()
  const syncing = new Map<string, "content" | "name">()
  for (const call of calls) {
    const thread = call.split(" ")[0] ?? ""
    if (creates(call)) {
      created++
      unsynced.add("name")
    }
    if (writes(call)) unsynced.add("content")
    const file = beginsSync(call)
    if (file?.endsWith(".log")) syncing.set(thread, "content")
    if (file === directory) syncing.set(thread, "name")
    const synced = syncing.get(thread)
    if (synced !== undefined && /sync.* = 0/.test(call)) {
      unsynced.delete(synced)
      syncing.delete(thread)
    }
    if (!isAnswer(call)) continue
    answers++
    if (unsynced.size > 0) early++
  }
  return { answers, created, early }
}

describe.skipIf(!isPossible)("an acknowledged click", () => {
  it.live("is synced to disk, with the name of its segment", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const { answers, created, early } = earlyAnswers(directory, yield* traced(directory, 150))
      assert.isAbove(answers, 40)
      assert.isAbove(created, 3)
      assert.strictEqual(early, 0)
    })
  )
})
