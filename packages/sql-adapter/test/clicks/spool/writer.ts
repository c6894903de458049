/**
 * A process that uses the spool: `node writer.ts <folder> append|mixed`. Until it is killed or its stdin ends, it writes lines of JSON:
 * before each operation what it is about to do, and after it the result.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Logger } from "effect"
import {
  append,
  batches,
  discard,
  spooledClicks
} from "../../../../core/test/contract/clicks/spooledClicks.ts"
import * as SpoolLog from "../../../src/clicks/SpoolLog.ts"

const [, , directory = "", mode = "append"] = process.argv

export type WriterLine = { readonly [step in "sends" | "appended" | "takes"]?: ReadonlyArray<string> }

/** Returns when the line is in the pipe. Waits while the pipe is full; a synchronous write would fail with EAGAIN. */
const say = (line: WriterLine) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, () => resume(Effect.void))
  })

let isEnding = false
process.stdin.once("end", () => (isEnding = true)).resume()

const appendSome = Effect.gen(function* () {
  const clicks = spooledClicks(1 + Math.floor(Math.random() * 60))
  const ids = clicks.map(({ event }) => event.id)
  yield* say({ sends: ids })
  yield* append(clicks)
  yield* say({ appended: ids })
})

const takeSome = Effect.gen(function* () {
  const read = yield* batches(100)
  yield* say({ takes: read.flatMap(({ clicks }) => clicks.map(({ event }) => event.id)) })
  for (const { isLast, segment } of read) if (isLast) yield* discard(segment)
})

const step = Effect.suspend(() => (mode === "mixed" && Math.random() < 0.2 ? takeSome : appendSome))

NodeRuntime.runMain(
  step.pipe(
    Effect.repeat({ until: () => isEnding }),
    // However long a sync takes on a disk that others use.
    Effect.provide(SpoolLog.layer({ directory, maxBytes: 1024 ** 3, timeout: "2 minutes" })),
    Effect.provideService(Logger.LogToStderr, true)
  )
)
