/**
 * A process that uses the spool: `node writer.ts <folder> append|mixed`. Says in lines of JSON what it is about to do and
 * what it was told is done, each before it goes on, until it is killed or its stdin ends.
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

/** Returns when the line is in the pipe: a full one is waited for, which a synchronous write would refuse with EAGAIN. */
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
    // However long a disk that others use takes for a sync.
    Effect.provide(SpoolLog.layer({ directory, maxBytes: 1024 ** 3, timeout: "2 minutes" })),
    Effect.provideService(Logger.LogToStderr, true)
  )
)
