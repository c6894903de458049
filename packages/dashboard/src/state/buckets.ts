import { bucketName } from "./dates.ts"
import { range, zone } from "./range.ts"

interface Bucketed {
  readonly bucket?: string
}

/** A row of a bucket that has begun. */
export type Begun<Row extends Bucketed> = Row & {
  /** Whether the bucket is not over. */
  readonly isOpen: boolean
}

/** The buckets that have begun: future buckets would look as if they had no clicks. Rows must be in the order of buckets. */
export const begun = <Row extends Bucketed>(rows: ReadonlyArray<Row>): ReadonlyArray<Begun<Row>> => {
  const past = rows.filter(({ bucket }) => bucket === undefined || Date.parse(bucket) <= Date.now())
  const last = past.at(-1)?.bucket
  return past.map((row) => ({ ...row, isOpen: range.value.isOpen && row.bucket === last }))
}

const plainName = ({ bucket = "" }: Bucketed): string => bucketName(bucket, range.value.interval, zone.value)

/** The name of a bucket. */
export const nameOf = (row: Begun<Bucketed>): string => `${plainName(row)}${row.isOpen ? ", so far" : ""}`

/** A sentence saying that the last bucket that has begun is not over; empty if it is over. */
export const unfinished = (rows: ReadonlyArray<Bucketed>): string => {
  const last = begun(rows).at(-1)
  return last?.isOpen ? ` ${plainName(last)} is not over yet.` : ""
}
