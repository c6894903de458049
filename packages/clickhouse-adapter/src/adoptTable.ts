import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Effect, type Stream } from "effect"
import { ClickHouse, ClickHouseError } from "./ClickHouse.ts"
import { deleteClicks } from "./clicks/deleteClicks.ts"
import { readAttempts } from "./clicks/readClicks.ts"
import { commentOf, commentStatement, type Owner } from "./Owner.ts"
import { literal } from "./sqlText.ts"

/** The database that adopts a table. */
export interface Adopter<E, R> {
  readonly owner: Effect.Effect<Owner, E, R>
  /** Stores clicks, except those that it has, and returns how many it lacked. */
  readonly takeBack: (
    clicks: Stream.Stream<ClickEvent, ClickHouseError>
  ) => Effect.Effect<number, E | ClickHouseError, R>
  /** Never again begins an attempt with a number up to this one. */
  readonly skipAttempts: (last: number) => Effect.Effect<unknown, E, R>
}

/** The number of the newest attempt in the table. Fails if the table belongs to neither this database nor a copy of it. */
const newestAttempt = Effect.fnUntraced(function* (id: string) {
  const { database, lookUp, table } = yield* ClickHouse
  const [line] = yield* lookUp(commentStatement({ database }))
  const [comment]: ReadonlyArray<string> = line === undefined ? [] : JSON.parse(line)
  const problem =
    comment === undefined
      ? `ClickHouse has no table ${database}.clicks`
      : `The table ${database}.clicks in ClickHouse holds the clicks of another PostgreSQL database, which this one is not a copy of`
  if (comment?.split(" ")[0] !== id) return yield* new ClickHouseError({ reason: "NotOwn", message: problem })
  const [newest = "[0]"] = yield* lookUp(`select max(attempt) from ${table}`)
  const [attempt = 0]: ReadonlyArray<number> = JSON.parse(newest)
  return attempt
})

/**
 * Makes the database the only one that may use the table of its original, and returns the number of clicks that it took back: those of
 * attempts that it has not begun, because it was restored from an older backup. They move again. Needs a `ClickHouse` without an owner,
 * which does not check this. May be killed at any point, and run again.
 */
export const adoptTable = Effect.fnUntraced(function* <E, R>(adopter: Adopter<E, R>) {
  const clickHouse = yield* ClickHouse
  const { id } = yield* adopter.owner
  const newest = yield* newestAttempt(id)
  // In this order: an attempt that the database begins meanwhile is not taken for one that it has lost.
  const owner = yield* adopter.owner
  const name = (comment: string) =>
    clickHouse.command(
      `alter table ${clickHouse.table} ${clickHouse.onCluster} modify comment ${literal(comment)}`
    )
  let taken = 0
  if (newest > owner.lastAttempt) {
    // Until the end, nothing may use the table: with the numbers skipped, rows that are still there would count.
    yield* name(`${id} adopting`)
    const lost = `attempt > ${owner.lastAttempt} and attempt <= ${newest}`
    taken = yield* adopter.takeBack(readAttempts(clickHouse, lost))
    yield* deleteClicks(clickHouse, lost)
    yield* adopter.skipAttempts(newest)
  }
  yield* name(commentOf(owner))
  return taken
})
