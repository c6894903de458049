import type { SpoolError } from "@clicks/core/clicks/Spool"
import { Effect, type Scope } from "effect"
import type { LocalSpoolOptions } from "./LocalSpool.ts"
import type { SalvageReport } from "./SalvageReport.ts"
import type { OperationName, SpoolNews } from "./SpoolMessages.ts"
import type { SpoolOperations } from "./SpoolOperations.ts"
import { SpoolThread } from "./SpoolThread.ts"

/** Calls an operation in the thread of the spool. */
export type SpoolCalls = <Name extends OperationName>(
  operation: Name,
  ...parameters: Parameters<SpoolOperations[Name]>
) => Effect.Effect<ReturnType<SpoolOperations[Name]>, SpoolError>

const lossText = ({ file, salvaged, suspected_lost }: SalvageReport): string =>
  `Salvaged from ${file}: ${salvaged} clicks, which wait again; suspected lost: ${suspected_lost ?? "cannot be told"}`

const tell = (news: SpoolNews): Effect.Effect<void> =>
  news.tag === "setAside"
    ? Effect.logError(`The spool is damaged (${news.cause}); it was set aside as ${news.file}`)
    : Effect.logWarning(lossText(news.report))

/** Starts the thread with the first call, and again when it has ended. Closing the scope waits for what was asked. */
export const make = (options: LocalSpoolOptions): Effect.Effect<SpoolCalls, never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context()
    let current: SpoolThread | undefined
    const start = (): SpoolThread => {
      const thread = new SpoolThread(options, {
        onNews: (news) => void Effect.runForkWith(context)(tell(news)),
        onEnd: () => {
          if (current === thread) current = undefined
        }
      })
      return thread
    }
    yield* Effect.addFinalizer(() => current?.close ?? Effect.void)
    const call = (operation: OperationName, ...parameters: ReadonlyArray<unknown>) =>
      Effect.suspend(() => {
        current ??= start()
        return current.ask(operation, parameters)
      })
    // The program of the thread answers each operation with what `SpoolOperations` says.
    return call as SpoolCalls
  })
