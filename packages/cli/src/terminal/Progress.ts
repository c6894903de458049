import { SingleBar } from "cli-progress"
import { Effect, type Scope } from "effect"
import { grouped } from "./format.ts"

/** A progress display. */
export interface Progress {
  readonly update: (value: number, texts?: Readonly<Record<string, string>>) => void
}

const options = {
  stream: process.stderr,
  barsize: 24,
  hideCursor: true,
  clearOnComplete: true,
  gracefulExit: false
}

/**
 * A bar from 0 to `total` on standard error while the scope is open; nothing if standard error is not a terminal. `format` is
 * a format of cli-progress; `texts`, here and in `update`, fill its additional names in braces.
 */
export const bar = (
  total: number,
  format: string,
  texts: Readonly<Record<string, string>>
): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.suspend(() => {
    if (!process.stderr.isTTY) return Effect.succeed<Progress>({ update: () => {} })
    const shown = new SingleBar({ ...options, format })
    shown.start(total, 0, texts)
    const progress: Progress = { update: (value, newTexts) => shown.update(value, newTexts) }
    return Effect.as(
      Effect.addFinalizer(() => Effect.sync(() => shown.stop())),
      progress
    )
  })

/** A counter, for an unknown total. */
export const counter = (noun: string): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.map(bar(1, `{count} ${noun}  {duration_formatted}`, { count: "0" }), ({ update }) => ({
    update: (value) => update(0, { count: grouped(value) })
  }))
