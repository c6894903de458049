import { Array as Arr, Cause, Effect, Pull, Stream } from "effect"
import type { ListingPosition } from "../ClickCursor.ts"
import { compareListing } from "../ClickEvent.ts"

type Rows<A> = ReadonlyArray<A>

/** The clicks of each side that were read but not emitted. Undefined if the side has ended. */
interface Waiting<A> {
  readonly left: Rows<A> | undefined
  readonly right: Rows<A> | undefined
}

const refill = <A, E>(
  rows: Rows<A> | undefined,
  pull: Pull.Pull<Rows<A>, E>
): Effect.Effect<Rows<A> | undefined, E> =>
  rows === undefined || rows.length > 0
    ? Effect.succeed(rows)
    : Pull.catchDone(pull, () => Effect.succeed(undefined))

/** Merges two arrays in listing order until one of them is exhausted. */
const mergeRows = <A extends ListingPosition>(left: Rows<A>, right: Rows<A>) => {
  const merged: Array<A> = []
  let [fromLeft, fromRight] = [0, 0]
  for (;;) {
    const [a, b] = [left[fromLeft], right[fromRight]]
    if (a === undefined || b === undefined)
      return { merged, waiting: { left: left.slice(fromLeft), right: right.slice(fromRight) } }
    if (compareListing(a, b) <= 0) {
      merged.push(a)
      fromLeft++
    } else {
      merged.push(b)
      fromRight++
    }
  }
}

/** Merges two streams in listing order. Reads at most one array of each ahead. */
export const mergeListings = <A extends ListingPosition, E>(
  left: Stream.Stream<A, E>,
  right: Stream.Stream<A, E>
): Stream.Stream<A, E> =>
  Stream.combineArray(
    left,
    right,
    (): Waiting<A> => ({ left: [], right: [] }),
    Effect.fnUntraced(function* (before, pullLeft, pullRight) {
      const [left, right] = yield* Effect.all(
        [refill<A, E>(before.left, pullLeft), refill<A, E>(before.right, pullRight)],
        { concurrency: 2 }
      )
      const both = left !== undefined && right !== undefined
      const { merged, waiting } = both
        ? mergeRows(left, right)
        : { merged: left ?? right ?? [], waiting: { left: left && [], right: right && [] } }
      return Arr.isReadonlyArrayNonEmpty(merged) ? ([merged, waiting] as const) : yield* Cause.done()
    })
  )
