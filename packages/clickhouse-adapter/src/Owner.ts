import type { Place } from "./Place.ts"
import { literal } from "./sqlText.ts"

/**
 * The database whose clicks the table holds. Attempts are numbered by it, so a second database would read the first one's clicks as its own, and
 * delete them as leftovers of failed attempts.
 */
export interface Owner {
  /** Unique; the table has it as its comment. */
  readonly id: string
  /** Whether it has moved clicks: then the table exists, or this is not the place that they were moved to. */
  readonly hasMoved: boolean
}

/** One row with the id of the table's owner; none if there is no table. */
export const ownerStatement = ({ database }: Place): string =>
  `select comment from system.tables where database = ${literal(database)} and name = 'clicks'`

/** Why the owner must not use the table; undefined if it may. `found` is the id of the table's owner, undefined if there is no table. */
export const ownerProblem = (
  { database }: Place,
  { hasMoved, id }: Owner,
  found: string | undefined
): string | undefined => {
  if (found === undefined)
    return hasMoved
      ? `ClickHouse has no table ${database}.clicks, although clicks were moved to one. Check the host and the database in its URL`
      : undefined
  return found === id
    ? undefined
    : `The table ${database}.clicks in ClickHouse holds the clicks of another PostgreSQL database. Each needs a ClickHouse database of its own`
}
