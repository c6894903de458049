import cluster, { type Worker } from "node:cluster"
import type { EventEmitter } from "node:events"
import { MetricsText } from "@clicks/http/MetricsText"
import { Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { KnownMetrics } from "./KnownMetrics.ts"

/** A process asks its parent for `all`, the parent asks each for its `own`; the answer has a text. `own` is told unasked, too. */
interface Message {
  readonly metrics: "all" | "own"
  /** 0 where nobody has asked. */
  readonly id: number
  readonly text?: string
}

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "metrics" in message

const patience = {
  // A process that is busy or ending must not hold up the others' figures.
  own: "1 second",
  // The parent waits so long for each of them itself.
  all: "5 seconds"
} as const

let lastId = 0

const ask = (
  metrics: Message["metrics"],
  answers: EventEmitter,
  send: (message: Message) => unknown
): Effect.Effect<string | undefined> =>
  Effect.callback<string>((resume) => {
    const id = ++lastId
    const listen = (message: unknown) => {
      if (isMessage(message) && message.id === id && message.text !== undefined)
        resume(Effect.succeed(message.text))
    }
    answers.on("message", listen)
    send({ metrics, id })
    return Effect.sync(() => void answers.off("message", listen))
  }).pipe(Effect.timeoutOrElse({ duration: patience[metrics], orElse: () => Effect.undefined }))

// Without somebody who hears of it, a message to a process that is gone would end the one that sends it.
const heard = () => {}

const sendToParent = (message: Message, sent: () => void = heard) => {
  if (process.send === undefined) sent()
  else process.send(message, sent)
}

// Its own figures in the place of everybody's would look like counters that fall.
const noAnswer = new Error("The process that has the metrics of all does not answer")

const ofAll = Effect.flatMap(ask("all", process, sendToParent), (text) =>
  text === undefined ? Effect.die(noAnswer) : Effect.succeed(text)
)

const tell = (id: number) =>
  Effect.flatMap(PrometheusMetrics.format(), (text) =>
    Effect.callback<void>((resume) => {
      sendToParent({ metrics: "own", id, text }, () => resume(Effect.void))
    })
  )

const unasked = tell(0)

// What a process has counted since is lost when it is killed.
const pause = "2 seconds"

/** For a process of several: `/metrics` tells of all, whichever is asked. */
export const layer = Layer.mergeAll(
  Layer.succeed(MetricsText, ofAll),
  Layer.effectDiscard(
    Effect.gen(function* () {
      const context = yield* Effect.context()
      const report = (message: unknown) => {
        if (!isMessage(message) || message.metrics !== "own" || message.text !== undefined) return
        Effect.runFork(Effect.provideContext(tell(message.id), context))
      }
      process.on("message", report)
      yield* Effect.addFinalizer(() =>
        Effect.andThen(
          unasked,
          Effect.sync(() => void process.off("message", report))
        )
      )
      yield* unasked.pipe(Effect.andThen(Effect.sleep(pause)), Effect.forever, Effect.forkScoped)
    })
  )
)

const answer = Effect.fnUntraced(function* (known: KnownMetrics, asker: Worker, message: Message) {
  yield* Effect.forEach(
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined),
    (worker) => ask("own", worker, (question) => worker.send(question, heard)),
    { concurrency: "unbounded", discard: true }
  )
  asker.send({ ...message, text: known.all }, heard)
})

/** For the parent of several: answers those that are asked for the metrics of all. */
export const serve: Effect.Effect<void> = Effect.sync(() => {
  const known = new KnownMetrics()
  cluster.on("message", (worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.metrics === "all") Effect.runFork(answer(known, worker, message))
    else if (message.text !== undefined) known.said(worker.id, message.text)
  })
  // After the last message, which the end of the process need not be.
  cluster.on("disconnect", (worker) => known.ended(worker.id))
})
