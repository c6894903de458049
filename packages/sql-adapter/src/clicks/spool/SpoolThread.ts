import { Worker } from "node:worker_threads"
import { SpoolError } from "@clicks/core/clicks/Spool"
import { Duration, Effect } from "effect"
import type { LocalSpoolOptions } from "./LocalSpool.ts"
import type { OperationName, SpoolMessage, SpoolNews } from "./SpoolMessages.ts"

// As it stands in the repository the program is TypeScript, in the published package JavaScript.
const program = new URL(`./spoolProgram.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url)

const closingPatience = Duration.seconds(5)

interface Asked {
  readonly operation: OperationName
  readonly settle: (answer: Effect.Effect<unknown, SpoolError>) => void
}

export interface SpoolThreadListener {
  readonly onNews: (news: SpoolNews) => void
  /** The thread has ended, whatever the reason. */
  readonly onEnd: () => void
}

/** A thread that works in the spool, and those who wait for its answers. When it ends, they get `Unavailable`. */
export class SpoolThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  #lastId = 0

  constructor(options: LocalSpoolOptions, { onEnd, onNews }: SpoolThreadListener) {
    this.#worker = new Worker(program, { name: "spool", workerData: options })
    const end = (cause: unknown) => {
      onEnd()
      for (const asked of this.#asked.values()) asked.settle(refusal(asked.operation, "Unavailable", cause))
      this.#asked.clear()
    }
    this.#worker.on("message", (message: SpoolMessage) =>
      message.tag === "answer" ? this.#answer(message) : onNews(message)
    )
    this.#worker.on("error", end)
    this.#worker.on("exit", () => end(new Error("The thread of the spool has ended")))
  }

  /** Who does not wait for the answer does not stop what was asked. */
  ask(operation: OperationName, parameters: ReadonlyArray<unknown>): Effect.Effect<unknown, SpoolError> {
    return Effect.callback((settle) => {
      const id = ++this.#lastId
      this.#asked.set(id, { operation, settle })
      this.#worker.postMessage({ id, operation, parameters })
      return Effect.sync(() => void this.#asked.delete(id))
    })
  }

  /** Ends the thread when it has done what it was asked. */
  get close(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      this.#worker.once("exit", () => resume(Effect.void))
      this.#worker.postMessage({ operation: "close" })
    }).pipe(
      Effect.timeoutOrElse({
        duration: closingPatience,
        orElse: () => Effect.promise(() => this.#worker.terminate())
      }),
      Effect.asVoid
    )
  }

  #answer({ id, outcome }: Extract<SpoolMessage, { readonly tag: "answer" }>): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.settle(
      outcome.isDone
        ? Effect.succeed(outcome.value)
        : refusal(asked.operation, outcome.reason, new Error(outcome.message))
    )
  }
}

const refusal = (operation: OperationName, reason: SpoolError["reason"], cause: unknown) =>
  Effect.fail(new SpoolError({ operation, reason, cause }))
