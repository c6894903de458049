import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Effect, type Stream } from "effect"
import { ClickHouse, ClickHouseError } from "./ClickHouse.ts"
import { deleteClicks } from "./clicks/deleteClicks.ts"
import { readAttempts } from "./clicks/readClicks.ts"
import { commentOf, type Owner, readComment, readNewestAttempt } from "./Owner.ts"
import { literal } from "./sqlText.ts"

/** The database that adopts a table. */
export interface Adopter<E, R> {
  readonly owner: Effect.Effect<Owner, E, R>
  /** Stores the clicks that the database lacks and returns their number. */
  readonly takeBack: (
    clicks: Stream.Stream<ClickEvent, ClickHouseError>
  ) => Effect.Effect<number, E | ClickHouseError, R>
  /** Makes all later attempts begin after this number. */
  readonly skipAttempts: (last: number) => Effect.Effect<unknown, E, R>
}

/** The number of the newest attempt in the table. Fails if the table belongs to neither this database nor a copy of it. */
const newestAttempt = Effect.fnUntraced(function* (id: string) {
  const { database, lookUp, table } = yield* ClickHouse
  const comment = yield* readComment(lookUp, { database })
  const problem =
    comment === undefined
      ? `ClickHouse has no table ${database}.clicks`
      : `The table ${database}.clicks in ClickHouse holds the clicks of another PostgreSQL database, which this one is not a copy of`
  if (comment?.split(" ")[0] !== id) return yield* new ClickHouseError({ reason: "NotOwn", message: problem })
  return yield* readNewestAttempt(lookUp, table, 0)
})

/**
 * Makes the database the only one that may use the table of its original. If it was restored from an older backup, the table has attempts
 * that it has not begun: their clicks are taken back, and move again later. Returns the number of clicks taken back. Needs a `ClickHouse`
 * without an owner, which does not check the owner. May be killed at any point and run again.
 */
export const adoptTable = Effect.fnUntraced(function* <E, R>(adopter: Adopter<E, R>) {
  const clickHouse = yield* ClickHouse
  const { id } = yield* adopter.owner
  const newest = yield* newestAttempt(id)
  // Read after `newest`, so that an attempt that the database begins meanwhile does not count as lost.
  const owner = yield* adopter.owner
  const name = (comment: string) =>
    clickHouse.command(
      `alter table ${clickHouse.table} ${clickHouse.onCluster} modify comment ${literal(comment)}`
    )
  let taken = 0
  if (newest > owner.lastAttempt) {
    // With this comment, no database may use the table until the end: once the numbers are skipped, remaining rows would be read.
    yield* name(`${id} adopting`)
    const lost = `attempt > ${owner.lastAttempt} and attempt <= ${newest}`
    taken = yield* adopter.takeBack(readAttempts(clickHouse, lost))
    yield* deleteClicks(clickHouse, lost)
    yield* adopter.skipAttempts(newest)
  }
  yield* name(commentOf(owner))
  return taken
})
