import { Effect, type Result } from "effect"
import { UsedWrongly } from "./CommandError.ts"

/** A sentence that begins with the name of a field, as it is over HTTP, as one about the option of that name. */
export const named = (sentence: string): string =>
  sentence.replace(/^\w+/, (name) => `--${name.replaceAll("_", "-")}`)

/** What the options say; `asOption` makes the sentence of what cannot be understood one about them. */
export const understood = <A>(
  parsed: Result.Result<A, { readonly message: string }>,
  asOption = named
): Effect.Effect<A, UsedWrongly> =>
  Effect.mapError(Effect.fromResult(parsed), ({ message }) => new UsedWrongly({ message: asOption(message) }))
