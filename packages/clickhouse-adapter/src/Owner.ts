import { Effect } from "effect"
import type { Place } from "./Place.ts"
import { literal } from "./sqlText.ts"

/**
 * The database whose clicks the table holds. It numbers the attempts, so a second database would read the first one's clicks as its own
 * and delete them as leftovers of failed attempts.
 */
export interface Owner {
  /** Unique, but copies of a database share it. */
  readonly id: string
  /** Identifies the location of the database: a copy that was restored from a dump has another one. */
  readonly instance: string
  /** The number of its newest attempt. */
  readonly lastAttempt: number
  /** Whether it has moved clicks. If so and there is no table, the URL is wrong. */
  readonly hasMoved: boolean
}

/** The comment of the owner's table. */
export const commentOf = ({ id, instance }: Owner): string => `${id} ${instance}`

type Lines<E> = (statement: string) => Effect.Effect<ReadonlyArray<string>, E>

const firstValue = <Value>([line]: ReadonlyArray<string>): Value | undefined =>
  line === undefined ? undefined : JSON.parse(line)[0]

/** Reads the comment of the table; undefined if there is no table. */
export const readComment = <E>(
  lines: Lines<E>,
  { database }: Pick<Place, "database">
): Effect.Effect<string | undefined, E> =>
  Effect.map(
    lines(`select comment from system.tables where database = ${literal(database)} and name = 'clicks'`),
    (found) => firstValue<string>(found)
  )

/** Reads the number of the newest attempt after a number; 0 if there is none. An index finds the few rows. */
export const readNewestAttempt = <E>(
  lines: Lines<E>,
  table: string,
  after: number
): Effect.Effect<number, E> =>
  Effect.map(
    lines(`select max(attempt) from ${table} where attempt > ${after}`),
    (found) => firstValue<number>(found) ?? 0
  )

const adopting = 'If nothing else uses this table any more, run "clicks archive adopt"'

/** Why the owner must not use the table; undefined if it may. `found` is the table's comment, undefined if there is no table. */
export const ownerProblem = (
  { database }: Place,
  owner: Owner,
  found: string | undefined
): string | undefined => {
  if (found === undefined)
    return owner.hasMoved
      ? `ClickHouse has no table ${database}.clicks, although clicks were moved to one. Check the host and the database in its URL`
      : undefined
  if (found === commentOf(owner)) return undefined
  return found.split(" ")[0] === owner.id
    ? `The table ${database}.clicks in ClickHouse was last used by another copy of this PostgreSQL database, or by this one on another server. Each copy needs its own ClickHouse database. ${adopting}`
    : `The table ${database}.clicks in ClickHouse holds the clicks of another PostgreSQL database. Each PostgreSQL database needs its own ClickHouse database`
}

/** Why an owner must not use a table with newer attempts than its own. */
export const newerClicksProblem = ({ database }: Place): string =>
  `The table ${database}.clicks in ClickHouse holds clicks that this PostgreSQL database has not moved: it was restored from an older backup, or a copy of it uses the same table. ${adopting}, which takes these clicks back`
