import { Duration, Effect, Exit, Schema } from "effect"
import { ClickArchive, type Tally } from "./ClickArchive.ts"
import { type Batch, HotBatches } from "./HotBatches.ts"

/** What the archive holds under an attempt is not what was sent. The clicks are still in the hot store; the next attempt sends them again. */
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

// After that long without progress another mover may take over. Only the time that is lost when a mover is killed depends on it.
const silentFor = Duration.minutes(1)

const isEqual = (a: Tally, b: Tally): boolean => a.count === b.count && a.checksum === b.checksum

const move = Effect.fnUntraced(function* ({ attempt, clicks, count }: Batch) {
  const archive = yield* ClickArchive
  // Another store may have begun it at the same time, a copy of this one.
  const before = yield* archive.check(attempt)
  if (before.count > 0) return yield* new ArchiveMismatch({ attempt, expected: 0, found: before.count })
  const sent = yield* archive.write(attempt, clicks)
  // Fewer were sent: the attempt was abandoned meanwhile.
  if (sent.count !== count) return false
  const held = yield* archive.check(attempt)
  if (!isEqual(sent, held))
    return yield* new ArchiveMismatch({ attempt, expected: sent.count, found: held.count })
  return yield* HotBatches.use((batches) => batches.complete(attempt, held))
})

/**
 * Moves one batch from the hot store to the archive and returns its number of clicks. 0: nothing was moved, because nothing waits, another
 * mover is at work, or this attempt was abandoned.
 *
 * It may be killed or suspended at any point, and any number of movers may run: clicks count as archived from the moment that the hot
 * store marks the attempt as moved, and it marks none that was abandoned. What a failed attempt leaves in the archive is never read.
 */
export const moveBatch = Effect.gen(function* () {
  // A number that fails is excluded from all reads for good, so none is spent while the archive is away.
  yield* ClickArchive.use((archive) => archive.ping)
  const batches = yield* HotBatches
  const batch = yield* batches.begin(silentFor)
  if (batch === null) return 0
  const isMoved = yield* Effect.onExit(move(batch), (exit) =>
    Exit.isSuccess(exit) && exit.value ? Effect.void : Effect.ignore(batches.abandon(batch.attempt))
  )
  return isMoved ? batch.count : 0
}).pipe(Effect.withSpan("moveBatch"))
