import cluster, { type Worker } from "node:cluster"
import { Effect, Fiber, Schema } from "effect"
import * as ProcessMetrics from "./ProcessMetrics.ts"

/** Whether this is one of the processes of `clicks serve --processes`. */
export const isOneOfSeveral = cluster.isWorker

/** A process that was started did not come as far as listening; it has told why itself. */
export class NeverListened extends Schema.TaggedError<NeverListened>()("NeverListened", {}) {}

const fork = (drains: boolean) =>
  Effect.sync(() => {
    cluster.setupPrimary({ args: ["serve", ...(drains ? [] : ["--no-drain"])] })
    return cluster.fork()
  })

const ended = (worker: Worker): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (worker.isDead()) resume(Effect.void)
    else worker.once("exit", () => resume(Effect.void))
  })

const stop = (worker: Worker) =>
  Effect.andThen(
    Effect.sync(() => worker.process.kill("SIGTERM")),
    ended(worker)
  )

const listening = (worker: Worker): Effect.Effect<number, NeverListened> =>
  Effect.raceFirst(
    Effect.callback<number>((resume) => {
      worker.once("listening", ({ port }) => resume(Effect.succeed(port)))
    }),
    Effect.andThen(ended(worker), Effect.fail(new NeverListened()))
  )

// Long enough that one that fails again and again does not take a processor.
const pause = "1 second"

/**
 * Serves in `count` processes that share one port, and starts those that end anew, until it is interrupted; then each stops as it
 * would alone. `onReady` learns the port as soon as all listen. Fails when one never does at the start.
 */
export const serve = Effect.fnUntraced(function* <E, R>(
  { count, drains }: { readonly count: number; readonly drains: boolean },
  onReady: (port: number) => Effect.Effect<void, E, R>
) {
  const workers: Array<Worker> = []
  yield* Effect.addFinalizer(() => Effect.forEach(workers, stop, { concurrency: "unbounded", discard: true }))
  yield* ProcessMetrics.serve

  const begin = Effect.fnUntraced(function* (index: number) {
    // The spool is one for all: the first drains it, so that no click is moved twice.
    const worker = yield* fork(drains && index === 0)
    workers[index] = worker
    return yield* listening(worker)
  })
  const keep = Effect.fnUntraced(function* (index: number) {
    for (let worker = workers[index]; worker !== undefined; worker = workers[index]) {
      yield* ended(worker)
      yield* Effect.logError(
        `Process ${worker.process.pid} of the service has ended; another takes its place`
      )
      yield* Effect.sleep(pause)
      yield* Effect.ignore(begin(index))
    }
  })

  // What is wrong with the settings or the port is told by the first, once.
  const port = yield* begin(0)
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1)
  yield* Effect.forEach(others, begin, { concurrency: "unbounded", discard: true })
  const keeping = yield* Effect.forEach([0, ...others], (index) => Effect.forkScoped(keep(index)))
  yield* onReady(port)
  yield* Fiber.awaitAll(keeping)
}, Effect.scoped)
