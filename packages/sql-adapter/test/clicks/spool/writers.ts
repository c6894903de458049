import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { WriterLine } from "./writer.ts"

/** A record of what the writers reported. */
export interface Witness {
  readonly sent: Set<string>
  readonly appended: Set<string>
  /** Discarded, or about to be discarded when the process ended. */
  readonly taken: Set<string>
}

export const witness = (): Witness => ({ sent: new Set(), appended: new Set(), taken: new Set() })

const note = ({ appended, sent, taken }: Witness, line: WriterLine): void => {
  for (const id of line.sends ?? []) sent.add(id)
  for (const id of line.appended ?? []) appended.add(id)
  for (const id of line.takes ?? []) taken.add(id)
}

/** Starts `writer.ts` and passes its lines to the witness. `lines` counts them. */
export const spawnWriter = (directory: string, mode: "append" | "mixed", seen: Witness) => {
  const program = fileURLToPath(new URL("./writer.ts", import.meta.url))
  const child = spawn(process.execPath, [program, directory, mode], { stdio: ["pipe", "pipe", "inherit"] })
  let lines = 0
  let complaint = ""
  // `close` is emitted when all output of the process has been read, even after it was killed.
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  createInterface(child.stdout).on("line", (line) => {
    if (!line.startsWith("{")) {
      complaint += `${line}\n`
      return
    }
    lines++
    note(seen, JSON.parse(line))
  })
  return {
    /** The number of lines it has written; infinite if it ended by itself. */
    lines: () => (child.exitCode === null ? lines : Number.POSITIVE_INFINITY),
    exitCode: () => child.exitCode,
    /** Its other output: the reason why it ended by itself. */
    complaint: () => complaint,
    kill: Effect.promise(() => {
      child.kill("SIGKILL")
      return ended
    }),
    leave: Effect.promise(() => {
      child.stdin.end()
      return ended
    })
  }
}
