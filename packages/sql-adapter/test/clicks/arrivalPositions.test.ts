import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { placesWithin, positions } from "../../src/clicks/arrivalPositions.ts"

const most = 9
const transactions = Array.from({ length: most + 2 }, (_, index) => index + 1)
const ids = [1, 2].map((id) => `00000000-0000-4000-8000-00000000000${id}`)

interface Click {
  readonly arrival: number
  readonly id: string
}
const clicks = transactions.flatMap((arrival) => ids.map((id): Click => ({ arrival, id })))

/** A snapshot: the transactions that have ended, among those that have begun. */
interface Moment {
  readonly end: number
  readonly underWay: ReadonlyArray<number>
}
const textOf = ({ end, underWay }: Moment) => `${underWay[0] ?? end}:${end}:${underWay.join(",")}`
const shows = ({ end, underWay }: Moment, arrival: number) => arrival < end && !underWay.includes(arrival)

/** Consecutive snapshots: between them, transactions begin and end. */
const History = Schema.Array(
  Schema.Struct({
    begun: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
    isOver: Schema.Array(Schema.Boolean).check(Schema.isMinLength(most), Schema.isMaxLength(most))
  })
).check(Schema.isMinLength(2), Schema.isMaxLength(4))

const momentsOf = (history: typeof History.Type): ReadonlyArray<Moment> => {
  let end = 1
  const over = new Set<number>()
  return history.map(({ begun, isOver }) => {
    end = Math.min(most + 1, end + begun)
    for (let arrival = 1; arrival < end; arrival++) if (isOver[arrival - 1]) over.add(arrival)
    const underWay = transactions.filter((arrival) => arrival < end && !over.has(arrival))
    return { end, underWay }
  })
}

interface Place {
  readonly position: string
  /** The clicks passed at this position. */
  readonly passed: ReadonlySet<Click>
}

const isUpTo = (a: Click, b: Click) => a.arrival < b.arrival || (a.arrival === b.arrival && a.id <= b.id)

/**
 * All positions of followers that move from one snapshot to a later one, and of those that then continue with pages of another follower.
 */
const placesOf = (moments: ReadonlyArray<Moment>): ReadonlyArray<Place> => {
  const within = moments.flatMap((met, index) =>
    moments.slice(index).flatMap((until) => {
      const after = placesWithin(textOf(met), textOf(until))
      return clicks
        .filter(({ arrival }) => shows(until, arrival) && !shows(met, arrival))
        .map((at) => ({
          at,
          until,
          position: after(String(at.arrival), at.id),
          passed: new Set(
            clicks.filter(
              (click) => shows(met, click.arrival) || (shows(until, click.arrival) && isUpTo(click, at))
            )
          )
        }))
    })
  )
  const plain = moments.map((moment) => ({
    position: textOf(moment),
    passed: new Set(clicks.filter(({ arrival }) => shows(moment, arrival)))
  }))
  const mixed = [...plain, ...within].flatMap(({ passed, position }) =>
    within
      .filter((_, index) => index % 5 === 0)
      .map(({ at, position: click, until }) => ({
        position: positions.pass(position, click),
        passed: new Set(
          clicks.filter((each) => passed.has(each) || (shows(until, each.arrival) && isUpTo(each, at)))
        )
      }))
  )
  return [...plain, ...within, ...mixed.filter((_, index) => index % 7 === 0)]
}

describe("positions of arrivals", () => {
  it.prop(
    "record exactly the clicks passed, and precede only positions that have passed at least these",
    [Arbitrary.schema(History)],
    ([history]) => {
      const places = placesOf(momentsOf(history))
      for (const { passed, position } of places) {
        const isAfter = positions.isAfter(position)
        for (const click of clicks) {
          const own = `1:1:_1:1:_${click.arrival}_${click.id}`
          assert.strictEqual(isAfter(own), !passed.has(click), `${position} ${own}`)
        }
      }
      for (const [index, a] of places.entries()) {
        // Each is compared with some others; comparing all pairs would take long.
        for (let other = index % 11; other < places.length; other += 11) {
          const b = places[other]
          if (b === undefined || !positions.precedes(a.position, b.position)) continue
          const isWithin = Array.from(a.passed).every((click) => b.passed.has(click))
          assert.isTrue(isWithin, `${a.position} precedes ${b.position}`)
        }
      }
    },
    { arbitrary: { runs: 60 } }
  )

  it("precede those of other followers once the transactions below have ended", () => {
    const at = (arrival: number) => [String(arrival), ids[0] ?? ""] as const
    const early = placesWithin("3:3:", "90:90:")
    const late = placesWithin("40:40:", "60:62:60")
    assert.isTrue(positions.precedes(early(...at(39)), "40:40:"))
    assert.isTrue(positions.precedes("40:40:", early(...at(40))))
    assert.isTrue(positions.precedes(early(...at(44)), late(...at(45))))
    assert.isTrue(positions.precedes(late(...at(45)), early(...at(46))))
    // 60 may still commit: the clicks that `late` has passed do not include all that `early` has.
    assert.isFalse(positions.precedes(early(...at(61)), late(...at(61))))
  })
})
