import { compareListing } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result, type Scope, Stream } from "effect"
import { expectedPage } from "../expectedPage.ts"
import { ArchiveFaults } from "./ArchiveFaults.ts"
import { type Fate, runMover } from "./flakyTiers.ts"
import { onTiers, type Tiers } from "./tieredLayer.ts"
import { makeWorld } from "./tierWorld.ts"

export interface TrialsOptions {
  readonly trials: number
  readonly seed: number
}

const kinds = ["killed", "two at once", "paused", "archive killed", "connection cut"] as const
type Kind = (typeof kinds)[number]

// A mover passes 11 gates, plus one for every three clicks. With more clicks, a thousand trials would mostly recount.
const clicksPerTrial = 12
const gates = 14

// A thousand trials on a busy machine.
const longest = 7_200_000

const healthy: Fate = { stopAt: Number.POSITIVE_INFINITY, lost: undefined, takesOver: true }

const makeTrials = Effect.fnUntraced(function* (ports: Context.Context<Tiers | ArchiveFaults>, seed: number) {
  const world = makeWorld(seed)
  const { below, clicks } = world
  const store = Context.get(
    yield* Layer.build(Layer.provide(onTiers, Layer.succeedContext(ports))),
    ClickStore
  )
  const [hot, batches] = [Context.get(ports, HotClicks), Context.get(ports, HotBatches)]
  const [archive, faults] = [Context.get(ports, ClickArchive), Context.get(ports, ArchiveFaults)]
  const seen = new Map(kinds.map((kind) => [kind, { trials: 0, reads: 0, refused: 0 }]))
  let now = { trials: 0, reads: 0, refused: 0 }

  const run = (fate: Partial<Fate> = {}) => runMover({ archive, batches }, { ...healthy, ...fate })

  /** Undefined if the archive is unavailable. */
  const orAway = <A, E extends { readonly reason: string }>(effect: Effect.Effect<A, E>) =>
    Effect.map(Effect.result(effect), (result) => {
      if (Result.isSuccess(result)) return result.success
      assert.strictEqual(result.failure.reason, "HistoryUnavailable")
      now.refused++
      return undefined
    })

  const insert = Effect.fnUntraced(function* (count: number) {
    const batch = world.newBatch(count)
    if ((yield* orAway(store.insert(batch))) === undefined) return
    for (const click of batch) if (!clicks.has(click.id)) clicks.set(click.id, click)
  })

  const read = Effect.gen(function* () {
    const query = world.query()
    const page = yield* orAway(store.list(query))
    if (page === undefined) return
    now.reads++
    assert.deepStrictEqual(page, expectedPage(clicks.values(), query))
  })

  /** Reads continuously while the effect runs: no total may ever be wrong. */
  const whileReading = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.raceFirst(effect, Effect.forever(read))

  const stopMover = Effect.gen(function* () {
    const { stopped } = yield* run({ stopAt: 1 + below(gates) })
    return yield* Effect.fromNullishOr(stopped)
  })

  const happen = Effect.gen(function* () {
    // On a busy machine, a mover may give up before its insert.
    for (let movers = 1; movers <= 5; movers++) {
      yield* whileReading(run())
      if (yield* faults.hasHappened) return
    }
    assert.fail("the fault has not happened")
  })

  const trials: Readonly<Record<Kind, Effect.Effect<void, unknown, Scope.Scope>>> = {
    killed: Effect.flatMap(stopMover, ({ kill }) => whileReading(kill)),
    "two at once": Effect.gen(function* () {
      const first = yield* stopMover
      const others = [run(), run({ takesOver: false })]
      yield* whileReading(Effect.all([first.resume, ...others], { concurrency: 3, discard: true }))
    }),
    paused: Effect.gen(function* () {
      const first = yield* stopMover
      yield* whileReading(run())
      yield* insert(1 + below(4))
      yield* whileReading(Effect.andThen(run(), first.resume))
    }),
    "archive killed": Effect.andThen(faults.killAtInsert, happen),
    "connection cut": Effect.suspend(() =>
      Effect.andThen(faults.cutAtInsert(world.chance(0.5) ? "before" : "after"), happen)
    )
  }

  const trial = (kind: Kind) =>
    Effect.gen(function* () {
      now = seen.get(kind) ?? now
      now.trials++
      yield* insert(clicksPerTrial)
      yield* trials[kind]
      yield* read
      // Clicks that arrive while the archive is unavailable.
      yield* insert(1 + below(4))
      yield* faults.recover
      yield* whileReading(run())
      yield* read
      const cut = yield* hot.cut
      if (cut !== null && world.chance(0.1)) yield* archive.forget(cut.abandoned)
    }).pipe(Effect.scoped)

  /** Checks that all clicks are in the archive, each once and as it was sent. */
  const finish = Effect.gen(function* () {
    yield* Effect.scoped(run())
    const cut = yield* hot.cut
    if (cut === null) return assert.fail("there is no cut")
    assert.lengthOf(yield* Stream.runCollect(hot.read(cut, {}, {})), 0)
    const found = yield* Stream.runCollect(store.stream({}))
    const ids = new Set(found.map(({ id }) => id))
    const lost = Array.from(clicks.keys()).filter((id) => !ids.has(id)).length
    const report = {
      clicks: clicks.size,
      lost,
      doubled: found.length - ids.size,
      abandoned: cut.abandoned.length
    }
    assert.deepInclude(report, { lost: 0, doubled: 0 })
    assert.deepStrictEqual(Array.from(found), Array.from(clicks.values()).sort(compareListing))
    return { ...report, kinds: Object.fromEntries(seen) }
  })

  return { trial, finish }
})

/**
 * Checks that movers and archives that crash, pause or lose a response neither lose nor duplicate a click, nor ever show a wrong page or
 * total.
 */
export const suite = <E>(
  name: string,
  tiers: Layer.Layer<Tiers | ArchiveFaults, E>,
  { seed, trials }: TrialsOptions
): void =>
  layer(tiers, { timeout: "10 minutes", excludeTestServices: true })(`Movers (${name})`, (it) => {
    it.effect(
      `neither lose nor duplicate a click in ${trials} faults (seed ${seed})`,
      () =>
        Effect.gen(function* () {
          const { finish, trial } = yield* makeTrials(yield* Effect.context<Tiers | ArchiveFaults>(), seed)
          for (let count = 0; count < trials; count++) yield* trial(kinds[count % kinds.length] ?? "killed")
          console.log(`Movers (${name}), ${trials} faults: ${JSON.stringify(yield* finish)}`)
        }),
      { timeout: longest }
    )
  })
