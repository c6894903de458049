import type { ArrivalPosition, ArrivalPositions, Arrivals } from "../ClickArrivals.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import { type ClickFilter, equalityFields, type FilterableClick, matches } from "../ClickFilter.ts"

/** The encoding of what readers receive. */
export interface FeedFormat {
  /** The position after the click that follows. */
  readonly position: (position: ArrivalPosition) => Uint8Array
  readonly click: (click: ClickEvent) => Uint8Array
  /** A heartbeat for a reader that received nothing for 15 seconds, with its current position. */
  readonly heartbeat: (position: ArrivalPosition) => Uint8Array
}

interface EncodedClick {
  readonly fields: FilterableClick
  readonly position: ArrivalPosition
  /** Offsets in the bytes of the page: where the click begins, after its position, and where it ends. */
  readonly start: number
  readonly end: number
}

/** A page of clicks, encoded once for all readers. */
export interface EncodedPage {
  /** The position before the first click, and after the last. */
  readonly start: ArrivalPosition
  readonly end: ArrivalPosition
  readonly clicks: ReadonlyArray<EncodedClick>
  readonly bytes: Uint8Array
  /** The approximate memory, in bytes. */
  readonly size: number
}

// The memory of a click in addition to its bytes: its position, the fields of filters, and objects.
const overhead = 800

const fieldsOf = (click: ClickEvent): FilterableClick => {
  const fields: Record<string, unknown> = { occurred_at: click.occurred_at }
  for (const field of equalityFields) fields[field] = click[field]
  return fields as unknown as FilterableClick
}

/** Encodes what was read since `start`. */
export const encodePage = (start: ArrivalPosition, found: Arrivals, format: FeedFormat): EncodedPage => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  const add = (piece: Uint8Array): number => {
    pieces.push(piece)
    length += piece.length
    return length
  }
  const clicks = found.clicks.map((click, index): EncodedClick => {
    const position = found.positions[index] ?? found.position
    return {
      fields: fieldsOf(click),
      position,
      start: add(format.position(position)),
      end: add(format.click(click))
    }
  })
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { start, end: found.position, clicks, bytes, size: length + clicks.length * overhead }
}

/** A part of a page for a reader: the bytes to write, and the click to continue with. */
export interface Selected {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly next: number
}

/**
 * The matching clicks of a page from the click `from` on, until they have `most` bytes or more. Consecutive clicks form a piece, which is a
 * view of the page's bytes, not a copy.
 */
export const select = (
  { bytes, clicks }: EncodedPage,
  from: number,
  most: number,
  filter: ClickFilter
): Selected => {
  const pieces: Array<Uint8Array> = []
  const runEnd = (first: number, room: number): number => {
    const start = clicks[first - 1]?.end ?? 0
    let index = first
    for (let click = clicks[index]; click !== undefined && matches(filter, click.fields); ) {
      index++
      if (click.end - start >= room) break
      click = clicks[index]
    }
    return index
  }
  let [next, left] = [from, most]
  while (next < clicks.length && left > 0) {
    const end = runEnd(next, left)
    const piece = bytes.subarray(clicks[next - 1]?.end ?? 0, clicks[end - 1]?.end ?? 0)
    if (piece.length > 0) pieces.push(piece)
    left -= piece.length
    next = end === next ? next + 1 : end
  }
  return { pieces, next }
}

/**
 * The same for a reader that has passed clicks of this page, but not exactly the first ones: all clicks that it has not passed, with
 * positions computed for this reader, and the position after them.
 */
export const selectAfter = (
  { bytes, clicks }: EncodedPage,
  position: ArrivalPosition,
  filter: ClickFilter,
  { isAfter, pass }: ArrivalPositions,
  format: FeedFormat
): Selected & { readonly position: ArrivalPosition } => {
  const isNew = isAfter(position)
  const pieces: Array<Uint8Array> = []
  let passed = position
  for (const click of clicks) {
    if (!(isNew(click.position) && matches(filter, click.fields))) continue
    passed = pass(position, click.position)
    pieces.push(format.position(passed), bytes.subarray(click.start, click.end))
  }
  const last = clicks.at(-1)
  const isAhead = last === undefined || !isNew(last.position)
  return { pieces, next: clicks.length, position: isAhead ? passed : pass(position, last.position) }
}

/** The newest clicks, in numbered pages. Keeps at most `capacity` bytes, but always the newest page. */
export class ClickLog {
  readonly #positions: ArrivalPositions
  readonly #capacity: number
  #pages: Array<EncodedPage> = []
  /** The number of the oldest page. */
  #first = 0
  #size = 0
  #start: ArrivalPosition
  #end: ArrivalPosition

  /** A log that begins at `start`, without clicks. */
  constructor(start: ArrivalPosition, capacity: number, positions: ArrivalPositions) {
    this.#positions = positions
    this.#capacity = capacity
    this.#start = start
    this.#end = start
  }

  /** Clicks before this position have to be read elsewhere. */
  get start(): ArrivalPosition {
    return this.#start
  }

  /** The position after all clicks of the log. */
  get end(): ArrivalPosition {
    return this.#end
  }

  /** The number that the next page will have. */
  get next(): number {
    return this.#first + this.#pages.length
  }

  /** The page of this number; undefined if it is still to come or was dropped. */
  page(number: number): EncodedPage | undefined {
    return this.#pages[number - this.#first]
  }

  /** Whether the page of this number exists or is still to come. */
  has(number: number): boolean {
    return number >= this.#first
  }

  append(page: EncodedPage): void {
    this.#end = page.end
    if (page.clicks.length === 0) return
    this.#pages.push(page)
    this.#size += page.size
    while (this.#size > this.#capacity && this.#pages.length > 1) {
      this.#size -= this.#pages.shift()?.size ?? 0
      this.#first++
      this.#start = this.#pages[0]?.start ?? this.#end
    }
  }

  /** Drops all pages. */
  clear(): void {
    this.#first = this.next
    this.#pages = []
    this.#size = 0
    this.#start = this.#end
  }

  /** The number of the page at which a reader at this position continues; undefined if the log begins later. */
  find(position: ArrivalPosition): number | undefined {
    const { precedes } = this.#positions
    if (!precedes(this.#start, position)) return undefined
    if (precedes(this.#end, position)) return this.next
    return (
      this.#first +
      Math.max(
        0,
        this.#pages.findLastIndex(({ start }) => precedes(start, position))
      )
    )
  }
}
