import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Array, Duration, Effect, Result, Stream } from "effect"
import { CommandFailed } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { bar } from "../../terminal/Progress.ts"
import { acceptRow } from "../importing/judgeRow.ts"
import { storeRows } from "../importing/storeRows.ts"
import { sampleRows } from "./sampleRows.ts"
import { countSamples, removeSamples } from "./storedSamples.ts"

interface DemoOptions extends Output.Format {
  readonly clicks: number
  readonly seed: number
  readonly force: boolean
  readonly remove?: boolean
}

const batchSize = 1_000
const retryFor = Duration.seconds(30)

/** The sample clicks as rows of an import, so that they are validated and stored in the same way. */
const judgedRows = ({ clicks, seed }: DemoOptions, now: Date) =>
  sampleRows(clicks, seed, now).map((fields, index) => {
    const row = { line: index + 1, original: Buffer.alloc(0), isCutOff: false }
    return Result.mapError(
      acceptRow(row, fields, () => String(fields.id), now),
      (reason) => ({ row, reason })
    )
  })

const refuseBesideOthers = Effect.gen(function* () {
  const { total } = yield* ClickStore.use((store) => store.list({ filter: {}, limit: 1, offset: 0 }))
  const others = total - (yield* countSamples)
  if (others <= 0) return
  return yield* new CommandFailed({
    message:
      `The database already has ${countOf(others, "click")} of your own, and statistics would count sample clicks with them. ` +
      'To add sample clicks anyway, use --force; "clicks demo --remove" deletes them again, and nothing else'
  })
})

const store = Effect.fnUntraced(function* (options: DemoOptions) {
  const shown = yield* bar(options.clicks, "{bar} {percentage}%  {value} sample clicks", {})
  let stored = 0
  yield* Stream.fromIterable(Array.chunksOf(judgedRows(options, new Date()), batchSize)).pipe(
    (batches) => storeRows(batches, { dryRun: false, within: retryFor }),
    Stream.runForEach(({ counts }) =>
      Effect.sync(() => {
        stored += counts.imported
        shown.update(stored)
      })
    )
  )
  return stored
}, Effect.scoped)

const guide = `
Look at them:
  clicks open   (while the service runs)
  clicks list
  clicks stats --group-by product_id
  clicks stats --funnel campaign_id
Delete them again:
  clicks demo --remove`

const add = Effect.fnUntraced(function* (options: DemoOptions) {
  if (!options.force) yield* refuseBesideOthers
  // Sample clicks of an earlier run are from an earlier month, or incomplete.
  const replaced = yield* removeSamples
  const added = yield* Effect.onInterrupt(store(options), () =>
    Output.note('clicks: interrupted. "clicks demo --remove" deletes the sample clicks that were stored')
  )
  if (options.json) return yield* Output.json({ added, replaced })
  const instead = replaced === 0 ? "" : `, replacing ${countOf(replaced, "earlier one")}`
  yield* Output.note(
    `Added ${countOf(added, "sample click")} of the last 30 days, with source demo${instead}`
  )
  yield* Output.footer(guide)
})

const remove = Effect.fnUntraced(function* (format: Output.Format) {
  const removed = yield* removeSamples
  const sentence =
    removed === 0 ? "There are no sample clicks" : `Deleted ${countOf(removed, "sample click")}`
  yield* Output.change(format, { removed }, sentence)
})

/** `clicks demo`: stores a month of sample clicks, or deletes them. */
export const demo = Effect.fn("demo")((options: DemoOptions) =>
  options.remove
    ? remove(options).pipe(Effect.provide(Database.layer))
    : add(options).pipe(Effect.provide(Database.layer), Database.creating)
)
