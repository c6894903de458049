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

/** Runs the writer for some lines and returns its system calls on files, in their order. */
const traced = (directory: string, lines: number) =>
  Effect.promise(() => {
    const trace = `${dirname(directory)}/trace`
    const writer = fileURLToPath(new URL("./writer.ts", import.meta.url))
    const calls = "trace=write,writev,pwrite64,pwritev,fsync,fdatasync"
    const child = spawn(
      "strace",
      ["-f", "-y", "-s", "16", "-e", calls, "-o", trace, process.execPath, writer, directory],
      {
        stdio: ["pipe", "pipe", "inherit"]
      }
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

const isLogWrite = (call: string) => /pwrite(64|v)\(\d+<[^>]*spool\.sqlite-wal>/.test(call)
const beginsLogSync = (call: string) => /f(data)?sync\(\d+<[^>]*spool\.sqlite-wal>/.test(call)
const isAnswer = (call: string) => call.includes("write(1<") && call.includes("appended")

/** Answers that were given while something that was written to the log was not on the disk yet. */
const earlyAnswers = (calls: ReadonlyArray<string>) => {
  let [answers, early] = [0, 0]
  let isOnDisk = true
  let syncing: string | undefined
  for (const call of calls) {
    const thread = call.split(" ")[0]
    if (isLogWrite(call)) isOnDisk = false
    if (beginsLogSync(call)) syncing = thread
    const isDone = syncing === thread && (call.endsWith("= 0") || / = 0 /.test(call))
    if (isDone && /sync/.test(call)) {
      isOnDisk = true
      syncing = undefined
    }
    if (isAnswer(call)) {
      answers++
      if (!isOnDisk) early++
    }
  }
  return { answers, early }
}

describe.skipIf(!isPossible)("what the spool promises", () => {
  it.live("is on the disk when it promises it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const { answers, early } = earlyAnswers(yield* traced(directory, 100))
      assert.isAbove(answers, 40)
      assert.strictEqual(early, 0)
    })
  )
})
