import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { compareListing } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { type Deletion, isDeletedBy, needsNoArchive } from "@clicks/core/clicks/tiers/Cut"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result, Stream } from "effect"
import * as ClickAnalyticsMemory from "../../analytics/ClickAnalyticsMemory.ts"
import { expectedPage } from "../expectedPage.ts"
import { runMover, type Stopped } from "./flakyTiers.ts"
import { switchedArchive } from "./switchedArchive.ts"
import { onTiers, type Tiers } from "./tieredLayer.ts"
import { makeWorld } from "./tierWorld.ts"

const hour = 3_600_000
const mostStopped = 3

// Ten thousand steps on a busy machine.
const longest = 7_200_000

export interface StepsOptions {
  readonly steps: number
  readonly seed: number
}

/** Random steps on tiers. Compares their results with a recount of what was stored. */
const makeSteps = Effect.fnUntraced(function* (ports: Context.Context<Tiers>, seed: number) {
  const world = makeWorld(seed)
  const { clicks } = world
  const { context, state } = switchedArchive(ports)
  const switched = Context.merge(ports, context)
  const tiered = yield* Layer.build(Layer.provide(onTiers, Layer.succeedContext(switched)))
  const [store, analytics] = [Context.get(tiered, ClickStore), Context.get(tiered, ClickAnalytics)]
  const [hot, batches] = [Context.get(ports, HotClicks), Context.get(ports, HotBatches)]
  const archive = Context.get(switched, ClickArchive)
  const listing = (filter: ClickFilter) =>
    Array.from(clicks.values())
      .filter((click) => matches(filter, click))
      .sort(compareListing)
  const recounted = ClickAnalyticsMemory.make({ stream: (filter) => Stream.fromIterable(listing(filter)) })

  const stopped: Array<Stopped> = []
  const late: Array<Effect.Effect<void>> = []
  const expiring: Array<Deletion> = []
  const done = { inserted: 0, moved: 0, abandoned: 0, removed: 0, expired: 0, stopped: 0, refused: 0 }
  const takeOne = <A>(from: Array<A>) => from.splice(world.below(from.length), 1)[0]

  /** Fails unless the archive is unavailable. */
  const orAway = <A, E extends { readonly reason: string }>(run: Effect.Effect<A, E>) =>
    Effect.map(Effect.result(run), (result) => {
      if (Result.isSuccess(result)) return result.success
      assert.isTrue(state.isDown, `failed with ${result.failure.reason} while the archive is up`)
      assert.strictEqual(result.failure.reason, "HistoryUnavailable")
      done.refused++
      return undefined
    })

  const insert = Effect.gen(function* () {
    const batch = world.newBatch()
    const mayBeArchived = batch.some(({ id }) => Date.now() - (Uuid.timeOf(id) ?? Date.now()) > 12 * hour)
    const added = yield* orAway(store.insert(batch))
    if (added === undefined) return assert.isTrue(mayBeArchived, "refused although no id is old")
    const isNew = batch.filter((click) => !clicks.has(click.id) && clicks.set(click.id, click))
    assert.deepStrictEqual(Array.from(added).sort(), isNew.map(({ id }) => id).sort())
    done.inserted += isNew.length
  })

  const move = Effect.gen(function* () {
    const mover = yield* runMover({ archive, batches }, world.fate())
    if (mover.stopped) done.stopped++
    if (mover.stopped) stopped.push(mover.stopped)
    // A mover may hold a connection of the hot store.
    if (stopped.length > mostStopped) yield* takeOne(stopped)?.kill ?? Effect.void
    if (mover.late) late.push(mover.late)
  })

  const removeMoved = Effect.gen(function* () {
    done.removed += yield* batches.removeMoved(new Date(Date.now() + 1000))
    world.forgetRecent()
  })

  const forget = Effect.gen(function* () {
    const cut = yield* hot.cut
    if (cut !== null) yield* orAway(archive.forget(cut.abandoned))
  })

  // In three steps, like `expireClicks`, with other steps between them, and sometimes begun again by another process. Without a cut, the
  // clicks are visible until the last step.
  const expire = Effect.gen(function* () {
    if ((yield* hot.cut) === null) return
    const begun = expiring[0]
    if (begun === undefined || world.chance(0.2)) {
      const isAlone = expiring.every((deletion) => deletion instanceof Date)
      const next = (isAlone && world.chance(0.5) ? world.someIds() : undefined) ?? world.cutoff()
      yield* batches.expire(next)
      for (const [id, click] of clicks)
        if (isDeletedBy(next, click)) done.expired += Number(clicks.delete(id))
      expiring.unshift(next)
    } else if ((yield* Effect.exit(archive.remove(begun)))._tag === "Success") {
      yield* batches.removeExpired(begun)
      expiring.shift()
    }
  })

  const checkPage = Effect.gen(function* () {
    const query = world.query()
    const page = yield* orAway(store.list(query))
    if (page !== undefined) return assert.deepStrictEqual(page, expectedPage(clicks.values(), query))
    const cut = yield* hot.cut
    assert.isFalse(cut === null || needsNoArchive(cut, query.filter), "refused a page of the hot store")
  })

  const checkStream = Effect.gen(function* () {
    const filter = world.filter()
    const found = yield* orAway(Stream.runCollect(store.stream(filter)))
    if (found !== undefined) assert.deepStrictEqual(Array.from(found), listing(filter))
  })

  const checkAnalytics = Effect.gen(function* () {
    const ask = world.question()
    const answer = yield* orAway(ask(analytics))
    if (answer !== undefined) assert.deepStrictEqual(answer, yield* ask(recounted))
  })

  const fail = Effect.sync(() => {
    state.isDown ||= world.chance(0.5)
  })
  const recover = Effect.sync(() => {
    state.isDown &&= world.chance(0.9)
  })
  const resume = Effect.suspend(() => takeOne(stopped)?.resume ?? Effect.void)
  const land = Effect.suspend(() => takeOne(late) ?? Effect.void)
  // Twenty tickets.
  const tickets = [
    ...[insert, insert, insert, insert, insert, insert, insert, move, move, move, move, move],
    ...[resume, land, removeMoved, forget, expire, expire, fail, checkAnalytics]
  ]
  const step = Effect.suspend(() => tickets[world.below(tickets.length)] ?? Effect.void).pipe(
    Effect.andThen(checkPage),
    Effect.andThen(recover),
    Effect.andThen(Effect.suspend(() => (world.chance(0.1) ? checkStream : Effect.void)))
  )

  /** Everything suspended continues, all clicks are moved, and the whole state is compared. */
  const finish = Effect.gen(function* () {
    state.isDown = false
    for (const each of [...stopped.map((mover) => mover.resume), ...late]) yield* each
    const fate = { stopAt: Number.POSITIVE_INFINITY, lost: undefined, takesOver: true } as const
    yield* runMover({ archive, batches }, fate)
    const cut = yield* hot.cut
    if (cut === null) return assert.fail("there is no cut")
    assert.lengthOf(yield* Stream.runCollect(hot.read(cut, {}, {})), 0)
    assert.deepStrictEqual(Array.from(yield* Stream.runCollect(store.stream({}))), listing({}))
    assert.strictEqual((yield* store.list({ filter: {}, limit: 1, offset: 0 })).total, clicks.size)
    done.abandoned = cut.abandoned.length
    done.moved = cut.mark - done.abandoned
    return done
  })

  return { step, finish }
})

/** Checks that clicks are neither lost, duplicated nor miscounted, whatever movers, deletions and outages do. */
export const suite = <E>(name: string, tiers: Layer.Layer<Tiers, E>, { seed, steps }: StepsOptions): void =>
  layer(tiers, { timeout: "60 seconds", excludeTestServices: true })(`Tiers (${name})`, (it) => {
    it.effect(
      `agree with a recount at each of ${steps} random steps (seed ${seed})`,
      () =>
        Effect.gen(function* () {
          const { finish, step } = yield* makeSteps(yield* Effect.context<Tiers>(), seed)
          for (let count = 0; count < steps; count++) yield* step
          const done = yield* finish
          console.log(`Tiers (${name}), ${steps} steps: ${JSON.stringify(done)}`)
          // Fewer steps might by chance expire or reject nothing.
          if (steps >= 2000) for (const [what, count] of Object.entries(done)) assert.isAbove(count, 0, what)
        }),
      { timeout: longest }
    )
  })
