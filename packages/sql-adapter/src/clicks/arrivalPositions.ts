import type { ArrivalPosition, ArrivalPositions } from "@clicks/core/clicks/ClickArrivals"
import { Option } from "effect"

/** A snapshot. All transactions below `end` are visible in it, except those in `inProgress`. */
interface Snapshot {
  /** In PostgreSQL's format, `xmin:xmax:xip,…`. */
  readonly text: string
  readonly end: bigint
  readonly inProgress: ReadonlyArray<bigint>
}

/** The place of a click among the clicks of a snapshot. */
interface Place {
  readonly arrival: bigint
  readonly id: string
}

/** How far a follower has read a later snapshot: all clicks visible in `until`, up to the click `at`. */
export interface Step {
  readonly until: Snapshot
  readonly at: Place
}

/**
 * A follower has read all clicks visible in `met`, and those of the steps. As text: `met`, or `met_until_arrival_id` with one such suffix
 * for each step. A follower on its own has at most one step, in the snapshot that it is reading. It gets another step each time it
 * continues with the pages of a follower that reads other snapshots.
 */
export interface Position {
  readonly met: Snapshot
  readonly steps: ReadonlyArray<Step>
}

const snapshot = String.raw`(\d{1,20}):(\d{1,20}):((?:\d{1,20}(?:,\d{1,20})*)?)`
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const snapshotPattern = new RegExp(`^${snapshot}$`)
const placePattern = new RegExp(String.raw`^(\d{1,20})_(${uuid})$`)

const last = 2n ** 64n - 1n

// Limits positions sent by clients, because each step makes the query longer. Readers that move between processes get two or three.
const mostSteps = 32

// Accepts only texts that PostgreSQL accepts.
const readSnapshot = (text: string): Snapshot | undefined => {
  const [, xmin = "0", xmax = "0", xip = ""] = snapshotPattern.exec(text) ?? []
  const [start, end] = [BigInt(xmin), BigInt(xmax)]
  const inProgress = xip === "" ? [] : xip.split(",").map(BigInt)
  const isInOrder = inProgress.every((xid, index) => xid > (inProgress[index - 1] ?? start - 1n) && xid < end)
  if (start === 0n || start > end || end > last || !isInOrder) return undefined
  return { text: `${start}:${end}:${inProgress.join(",")}`, end, inProgress }
}

const readStep = (untilText: string, placeText: string): Step | undefined => {
  const until = readSnapshot(untilText)
  const [, arrival, id] = placePattern.exec(placeText) ?? []
  if (until === undefined || arrival === undefined || id === undefined || BigInt(arrival) > last)
    return undefined
  return { until, at: { arrival: BigInt(arrival), id } }
}

const parse = (text: string): Position | undefined => {
  const [metText = "", ...rest] = text.split("_")
  const met = readSnapshot(metText)
  if (met === undefined || rest.length % 3 !== 0) return undefined
  const steps: Array<Step> = []
  for (let at = 0; at < rest.length; at += 3) {
    const step = readStep(rest[at] ?? "", `${rest[at + 1]}_${rest[at + 2]}`)
    if (step === undefined) return undefined
    steps.push(step)
  }
  return { met, steps }
}

/** Parses a position that this module created. Throws for any other text. */
export const read = (position: ArrivalPosition): Position => {
  const found = parse(position)
  if (found === undefined) throw new Error(`Not a position: ${position}`)
  return found
}

/** The step in whose snapshot the follower continues: the last one, if everything visible in the other snapshots is visible in it. */
export const currentStep = ({ met, steps }: Position): Step | undefined => {
  const step = steps.at(-1)
  const isLatest =
    step !== undefined && isWithin(met, step.until) && steps.every(({ until }) => isWithin(until, step.until))
  return isLatest ? step : undefined
}

/** The snapshot in which exactly the transactions below this one have ended. */
const before = (arrival: bigint): string => `${arrival}:${arrival}:`

/**
 * Returns the positions after clicks, given by transaction and id, that are visible in `until` and not in `met`. Each position assumes that
 * all clicks up to its own have been passed. If possible, its `met` is the snapshot before the transaction, so that positions from
 * different snapshots can be compared.
 */
export const placesWithin = (metText: string, untilText: string) => {
  const met = readSnapshot(metText)
  const until = readSnapshot(untilText)
  if (met === undefined || until === undefined) throw new Error(`Not moments: ${metText}, ${untilText}`)
  const ended = until.inProgress[0] ?? until.end
  return (arrival: string, id: string): ArrivalPosition => {
    const number = BigInt(arrival)
    const isBetween = number >= met.end && number <= ended
    return `${isBetween ? before(number) : metText}_${untilText}_${arrival}_${id}`
  }
}

/** The position after a click, if it is not known in which snapshot it was read. */
export const positionOf = (arrival: string, id: string): ArrivalPosition => {
  const number = BigInt(arrival)
  return `${before(number)}_${before(number + 1n)}_${arrival}_${id}`
}

const write = ({ met, steps }: Position): ArrivalPosition =>
  [met.text, ...steps.map(({ at, until }) => `${until.text}_${at.arrival}_${at.id}`)].join("_")

const shows = ({ end, inProgress }: Snapshot, arrival: bigint): boolean =>
  arrival < end && !inProgress.includes(arrival)

/** Whether everything visible in `a` is visible in `b`. */
const isWithin = (a: Snapshot, b: Snapshot): boolean =>
  a.end <= b.end && b.inProgress.every((arrival) => !shows(a, arrival))

const isUpTo = (a: Place, b: Place): boolean =>
  a.arrival < b.arrival || (a.arrival === b.arrival && a.id <= b.id)

/** Whether everything visible in `a` up to a transaction is visible in `b`. */
const isWithinUpTo = (arrival: bigint, a: Snapshot, b: Snapshot): boolean =>
  arrival < b.end && b.inProgress.every((other) => other > arrival || !shows(a, other))

const precedes = (a: Position, b: Position): boolean =>
  isWithin(a.met, b.met) &&
  a.steps.every(
    ({ at, until }) =>
      isWithinUpTo(at.arrival, until, b.met) ||
      b.steps.some((step) => isUpTo(at, step.at) && isWithinUpTo(at.arrival, until, step.until))
  )

const placeOf = (click: ArrivalPosition): Place => {
  const [, , arrival = "0", id = ""] = click.split("_")
  return { arrival: BigInt(arrival), id }
}

const pass = ({ met, steps }: Position, click: Position): Position => {
  const [step] = click.steps
  if (step === undefined) return { met, steps }
  const others = steps.filter(({ at, until }) => !(isWithin(until, step.until) && isUpTo(at, step.at)))
  return { met, steps: [...others, step] }
}

/** Positions by the transactions that write to the table `clicks`. */
export const positions: ArrivalPositions = {
  parse: (text) => {
    const found = parse(text)
    return found === undefined || found.steps.length > mostSteps ? Option.none() : Option.some(write(found))
  },
  precedes: (a, b) => precedes(read(a), read(b)),
  momentBefore: (position) => read(position).met.text,
  // With several steps, the clicks of a page would not have positions of their own, so the page begins before them.
  pageStart: (position) => {
    const found = read(position)
    const isOfOne = found.steps.length === 0 || (found.steps.length === 1 && currentStep(found) !== undefined)
    return isOfOne ? position : found.met.text
  },
  isAfter: (position) => {
    const { met, steps } = read(position)
    return (click) => {
      const place = placeOf(click)
      if (shows(met, place.arrival)) return false
      return !steps.some(({ at, until }) => shows(until, place.arrival) && isUpTo(place, at))
    }
  },
  pass: (position, click) => write(pass(read(position), read(click)))
}
