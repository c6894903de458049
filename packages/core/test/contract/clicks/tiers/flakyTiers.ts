import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { moveBatch } from "@clicks/core/clicks/tiers/moveBatch"
import { Context, Deferred, Duration, Effect, Fiber, Stream } from "effect"

/** A fault of a mover. */
export interface Fate {
  /** The gate at which it stops. Each operation has two or three: before it, during the transfer of clicks, and after it. */
  readonly stopAt: number
  /** The operation whose response is lost although it was carried out. `late`: the write arrives long after the mover has given up. */
  readonly lost: "ping" | "check" | "write" | "late" | "complete" | "abandon" | undefined
  /** Whether it takes over from a mover that is working. */
  readonly takesOver: boolean
}

/** A mover that stands still at a gate, like a suspended process. */
export interface Stopped {
  readonly resume: Effect.Effect<void>
  /** Kills it: it does nothing more, not even abandon its attempt. */
  readonly kill: Effect.Effect<void>
}

export interface Ports {
  readonly archive: ClickArchive["Service"]
  readonly batches: HotBatches["Service"]
}

const lostAnswer = (operation: string, reason: "Unavailable" | "HistoryUnavailable") =>
  new ClickStoreError({ operation, reason, cause: "the connection was cut" })

/** Runs one mover until it ends or stops. Returns the mover if it stopped, and the late write if there is one. */
export const runMover = Effect.fnUntraced(function* ({ archive, batches }: Ports, fate: Fate) {
  const stopped = yield* Deferred.make<void>()
  const resumed = yield* Deferred.make<void>()
  let passed = 0
  let isKilled = false
  let late: Effect.Effect<void> | undefined
  const alive = Effect.suspend(() => (isKilled ? Effect.interrupt : Effect.void))
  const stop = Effect.andThen(Deferred.succeed(stopped, undefined), Deferred.await(resumed))
  const gate = Effect.andThen(
    Effect.suspend(() => (++passed === fate.stopAt ? stop : Effect.void)),
    alive
  )

  const around = <A, E>(operation: NonNullable<Fate["lost"]>, run: Effect.Effect<A, E>) => {
    const reason = operation === "complete" || operation === "abandon" ? "Unavailable" : "HistoryUnavailable"
    const answer = fate.lost === operation ? Effect.fail(lostAnswer(operation, reason)) : Effect.void
    return gate.pipe(
      Effect.andThen(run),
      Effect.tap(() => Effect.andThen(gate, answer))
    )
  }

  const flakyArchive: Ports["archive"] = {
    ...archive,
    ping: around("ping", archive.ping),
    check: (attempt) => around("check", archive.check(attempt)),
    write: (attempt, clicks) => {
      if (fate.lost !== "late") {
        const gated = Stream.tap(Stream.rechunk(clicks, 3), () => gate)
        return around("write", archive.write(attempt, gated))
      }
      return Effect.flatMap(Stream.runCollect(clicks), (sent) => {
        late = Effect.ignore(archive.write(attempt, Stream.fromIterable(sent)))
        return Effect.fail(lostAnswer("write", "HistoryUnavailable"))
      })
    }
  }
  const flakyBatches: Ports["batches"] = {
    ...batches,
    begin: (silentFor) => Effect.tap(batches.begin(fate.takesOver ? Duration.zero : silentFor), () => gate),
    complete: (attempt, tally) => around("complete", batches.complete(attempt, tally)),
    abandon: (attempt) => around("abandon", batches.abandon(attempt))
  }

  const context = Context.make(ClickArchive, flakyArchive).pipe(Context.add(HotBatches, flakyBatches))
  const mover = yield* Effect.forkScoped(Effect.exit(Effect.provideContext(moveBatch, context)))
  const end = Fiber.join(mover)
  yield* Effect.raceFirst(end, Deferred.await(stopped))
  const isStopped = yield* Deferred.isDone(stopped)
  const resume = Effect.andThen(Deferred.succeed(resumed, undefined), end)
  const kill = Effect.suspend(() => {
    isKilled = true
    return resume
  })
  return { stopped: isStopped ? { resume, kill } : undefined, late }
})
