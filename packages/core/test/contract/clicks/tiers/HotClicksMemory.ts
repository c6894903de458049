import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import { type Cut, type IdRange, isDeletedBy, isExpired, isWithin } from "@clicks/core/clicks/tiers/Cut"
import { type Batch, HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { timeOf, type Uuid } from "@clicks/core/values/Uuid"
import { Clock, Context, Duration, Effect, Layer, Stream } from "effect"
import { tierReads } from "./tierReadsMemory.ts"

/** Clicks are numbered in the order of their arrival. An attempt consists of those after the mark up to `until`. */
interface Attempt {
  readonly until: number
  state: "open" | "moved" | "abandoned"
  /** The time of the last progress or, once the attempt is moved, of the move. */
  at: number
}

/** The current state of the hot store, changed in place. */
interface State {
  readonly clicks: Map<Uuid, ClickEvent>
  readonly arrivals: Map<Uuid, number>
  /** Ids that contain no time. They are kept after their clicks have left. */
  readonly ledger: Set<Uuid>
  /** Attempt 1 comes first. */
  readonly attempts: Array<Attempt>
  /** The last click of the newest moved attempt. */
  mark: number
  last: number
  /** When the mover first caught up. */
  caughtUpAt: number | undefined
  expired: Date | null
  expiredIds: IdRange | null
  removedUntil: Date | null
}

const open = (state: State): Attempt | undefined => state.attempts.find((attempt) => attempt.state === "open")

const remove = (state: State, isGone: (click: ClickEvent) => boolean): ReadonlyArray<ClickEvent> => {
  const gone = Array.from(state.clicks.values()).filter(isGone)
  for (const { id } of gone) state.clicks.delete(id)
  for (const { id } of gone) state.arrivals.delete(id)
  return gone
}

const makeStore = (state: State): ClickStore["Service"] => {
  const plain = ClickStoreMemory.make(state.clicks)
  return {
    ...plain,
    insert: Effect.fnUntraced(function* (batch) {
      const added = yield* plain.insert(batch.filter(({ id }) => !state.ledger.has(id)))
      for (const id of added) state.arrivals.set(id, ++state.last)
      for (const id of added) if (timeOf(id) === undefined) state.ledger.add(id)
      return added
    })
  }
}

/** The clicks that arrived after the first number up to the second. */
const between = ({ arrivals, clicks }: State, after: number, until: number): ReadonlyArray<ClickEvent> =>
  Array.from(clicks.values()).filter(({ id }) => {
    const arrival = arrivals.get(id) ?? 0
    return arrival > after && arrival <= until
  })

const makeHotClicks = (state: State): HotClicks["Service"] => ({
  ...tierReads(({ arrivals }) => {
    const [after = 0, until = 0] = arrivals.split(":").map(Number)
    return between(state, after, until)
  }),
  cut: Effect.sync((): Cut | null => {
    if (state.caughtUpAt === undefined) return null
    const { attempts, expired, expiredIds, last, removedUntil } = state
    const mark = attempts.findLastIndex((attempt) => attempt.state === "moved") + 1
    const abandoned = attempts
      .slice(0, mark)
      .flatMap((attempt, index) => (attempt.state === "abandoned" ? [index + 1] : []))
    return { mark, abandoned, expired, expiredIds, removedUntil, arrivals: `${state.mark}:${last}` }
  })
})

const isAway = new ClickStoreError({ operation: "move", reason: "Unavailable", cause: "abandoned" })

const makeBatches = (state: State): HotBatches["Service"] => {
  const waiting = () => between(state, state.mark, state.last).filter((click) => !isExpired(state, click))

  /** Emits the clicks of an attempt as long as it is open. */
  const batchOf = (attempt: Attempt, clicks: ReadonlyArray<ClickEvent>): Batch => ({
    attempt: state.attempts.length,
    count: clicks.length,
    clicks: Stream.fromIterable(clicks, { chunkSize: 100 }).pipe(
      Stream.chunks,
      Stream.tap(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (attempt.state !== "open") return Effect.fail(isAway)
          attempt.at = now
          return Effect.void
        })
      ),
      Stream.flattenArray
    )
  })

  const abandonOpen = () => {
    const attempt = open(state)
    if (attempt !== undefined) attempt.state = "abandoned"
  }

  return {
    begin: Effect.fnUntraced(function* (silentFor) {
      const now = yield* Clock.currentTimeMillis
      const other = open(state)
      if (other !== undefined && now - other.at < Duration.toMillis(silentFor)) return null
      abandonOpen()
      const clicks = waiting()
      if (clicks.length === 0) {
        state.caughtUpAt ??= now
        return null
      }
      const attempt: Attempt = { until: state.last, state: "open", at: now }
      state.attempts.push(attempt)
      return batchOf(attempt, clicks)
    }),
    complete: Effect.fnUntraced(function* (number) {
      const attempt = state.attempts[number - 1]
      if (attempt?.state !== "open") return false
      attempt.at = yield* Clock.currentTimeMillis
      attempt.state = "moved"
      state.mark = attempt.until
      if (waiting().length === 0) state.caughtUpAt ??= attempt.at
      return true
    }),
    abandon: (number) =>
      Effect.sync(() => {
        if (state.attempts[number - 1] === open(state)) abandonOpen()
      }),
    removeMoved: (before) =>
      Effect.sync(() => {
        const millis = before.getTime()
        if (state.caughtUpAt === undefined || state.caughtUpAt >= millis) return 0
        const moved = state.attempts.findLast((attempt) => attempt.state === "moved" && attempt.at < millis)
        const until = moved?.until ?? 0
        const gone = remove(
          state,
          ({ id, occurred_at }) => (state.arrivals.get(id) ?? 0) <= until && occurred_at < before
        )
        for (const { occurred_at } of gone)
          if (state.removedUntil === null || occurred_at > state.removedUntil)
            state.removedUntil = occurred_at
        return gone.length
      }),
    expire: (deletion) =>
      Effect.sync(() => {
        if (!(deletion instanceof Date)) state.expiredIds = deletion
        else if (state.expired === null || state.expired < deletion) state.expired = deletion
        abandonOpen()
      }),
    removeExpired: (deletion) =>
      Effect.sync(() => {
        const gone = remove(state, (click) => isDeletedBy(deletion, click))
        if (!(deletion instanceof Date)) {
          for (const id of state.ledger) if (isWithin(deletion, id)) state.ledger.delete(id)
          if (state.expiredIds?.first === deletion.first) state.expiredIds = null
        } else if (state.expired !== null && state.expired <= deletion) state.expired = null
        return gone.length
      })
  }
}

const make = (): Context.Context<ClickStore | HotClicks | HotBatches> => {
  const state: State = {
    clicks: new Map(),
    arrivals: new Map(),
    ledger: new Set(),
    attempts: [],
    mark: 0,
    last: 0,
    caughtUpAt: undefined,
    expired: null,
    expiredIds: null,
    removedUntil: null
  }
  return Context.make(ClickStore, makeStore(state)).pipe(
    Context.add(HotClicks, makeHotClicks(state)),
    Context.add(HotBatches, makeBatches(state))
  )
}

/** A hot store in this process's memory, for tests: the store, its clicks after the mark, and its record of batches. */
export const layer: Layer.Layer<ClickStore | HotClicks | HotBatches> = Layer.effectContext(Effect.sync(make))
