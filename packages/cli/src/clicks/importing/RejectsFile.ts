import { open, realpath } from "node:fs/promises"
import { Effect, type Scope } from "effect"
import { type CommandFailed, UsageError } from "../../CommandError.ts"
import { notWritten } from "../../files/fileFailure.ts"
import { refuseOccupied } from "../../files/writeWholeFile.ts"
import { type Rejection, rejectionLine } from "./Rejects.ts"

/** Keeps rejected rows. */
export type RejectsFile = (rejections: ReadonlyArray<Rejection>) => Effect.Effect<void, CommandFailed>

const isSameFile = (a: string, b: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    Promise.all([realpath(a), realpath(b)]).then(
      ([x, y]) => x === y,
      () => false
    )
  )

/** Opens the file for rejected rows while the scope is open. Replaces its content only by `force`. Without a path, keeps nothing. */
export const openRejects: (
  path: string | undefined,
  input: string,
  force: boolean
) => Effect.Effect<RejectsFile, CommandFailed | UsageError, Scope.Scope> = Effect.fnUntraced(
  function* (path, input, force) {
    if (path === undefined) return () => Effect.void
    if (yield* isSameFile(path, input)) {
      return yield* new UsageError({
        message: `--rejects ${path} would overwrite the input file`
      })
    }
    yield* refuseOccupied(path, force)
    const file = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => open(path, "w", 0o600), catch: notWritten(path) }),
      (opened) => Effect.promise(() => opened.close())
    )
    return (rejections) =>
      rejections.length === 0
        ? Effect.void
        : Effect.tryPromise({
            try: () => file.appendFile(rejections.map(rejectionLine).join("")),
            catch: notWritten(path)
          })
  }
)
