import { Duration, Effect, Exit, Schema } from "effect"
import { ClickArchive, type Tally } from "./ClickArchive.ts"
import { type Batch, HotBatches } from "./HotBatches.ts"

/**
 * The archive's content under an attempt differs from what was sent. The clicks are still in the hot store; the next attempt sends them
 * again.
 */
export class ArchiveMismatch extends Schema.TaggedError<ArchiveMismatch>()("ArchiveMismatch", {
  attempt: Schema.Int,
  expected: Schema.Int,
  found: Schema.Int
}) {
  override get message(): string {
    const same = this.expected === this.found ? ", with other contents" : ""
    return `The archive holds ${this.found} clicks under attempt ${this.attempt} instead of ${this.expected}${same}`
  }
}

// Without progress for this long, another mover may take over. Only the delay after a mover was killed depends on it.
const silentFor = Duration.minutes(1)

const isEqual = (a: Tally, b: Tally): boolean => a.count === b.count && a.checksum === b.checksum

const move = Effect.fnUntraced(function* ({ attempt, clicks, count }: Batch) {
  const archive = yield* ClickArchive
  // A copy of this store may have begun an attempt with the same number.
  const before = yield* archive.check(attempt)
  if (before.count > 0) return yield* new ArchiveMismatch({ attempt, expected: 0, found: before.count })
  const sent = yield* archive.write(attempt, clicks)
  // If fewer were sent, the attempt was abandoned meanwhile.
  if (sent.count !== count) return false
  const held = yield* archive.check(attempt)
  if (!isEqual(sent, held))
    return yield* new ArchiveMismatch({ attempt, expected: sent.count, found: held.count })
  return yield* HotBatches.use((batches) => batches.complete(attempt, held))
})

/**
 * Moves one batch from the hot store to the archive and returns its number of clicks. Returns 0 if nothing was moved: no clicks wait,
 * another mover is working, or this attempt was abandoned.
 *
 * The mover may be killed or suspended at any point, and any number of movers may run. Clicks count as archived as soon as the hot store
 * marks the attempt as moved, and it never marks an abandoned attempt. What a failed attempt leaves in the archive is never read.
 */
export const moveBatch = Effect.gen(function* () {
  // The number of a failed attempt is excluded from all reads forever, so none is used up while the archive is unavailable.
  yield* ClickArchive.use((archive) => archive.ping)
  const batches = yield* HotBatches
  const batch = yield* batches.begin(silentFor)
  if (batch === null) return 0
  const isMoved = yield* Effect.onExit(move(batch), (exit) =>
    Exit.isSuccess(exit) && exit.value ? Effect.void : Effect.ignore(batches.abandon(batch.attempt))
  )
  return isMoved ? batch.count : 0
}).pipe(Effect.withSpan("moveBatch"))
