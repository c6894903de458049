import { SingleBar } from "cli-progress"
import { Effect, type Scope } from "effect"
import { grouped } from "./format.ts"

const barWith = (format: string): SingleBar =>
  new SingleBar({
    stream: process.stderr,
    format,
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false
  })

/** A progress display. */
export interface Progress {
  readonly update: (value: number, texts?: Readonly<Record<string, string>>) => void
}

const silent: Progress = { update: () => {} }

/**
 * A bar from 0 to `total` on standard error while the scope is open; nothing if standard error is not a terminal. `format` is
 * that of cli-progress; `texts`, also those of `update`, fill additional names in braces.
 */
export const bar = (
  total: number,
  format: string,
  texts: Readonly<Record<string, string>>
): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.suspend(() => {
    if (!process.stderr.isTTY) return Effect.succeed(silent)
    const shown = barWith(format)
    return Effect.acquireRelease(
      Effect.sync((): Progress => {
        shown.start(total, 0, texts)
        return { update: (value, newTexts) => shown.update(value, newTexts) }
      }),
      () => Effect.sync(() => shown.stop())
    )
  })

/** A counter, for an unknown total. */
export const counter = (noun: string): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.map(bar(1, `{count} ${noun}  {duration_formatted}`, { count: "0" }), ({ update }) => ({
    update: (value) => update(0, { count: grouped(value) })
  }))
