import type { InvalidStoresQuery } from "@clicks/core/stores/QueryParameters"
import { Effect, type Result } from "effect"
import { UsedWrongly } from "../program/CommandError.ts"

// The sentence begins with the parameter's name, as it is over HTTP.
const asOption = (sentence: string): string =>
  sentence.replace(/^\w+/, (name) => `--${name.replaceAll("_", "-")}`)

/** What the options say. What cannot be understood is told by the option's name. */
export const understood = <A>(parsed: Result.Result<A, InvalidStoresQuery>): Effect.Effect<A, UsedWrongly> =>
  Effect.mapError(Effect.fromResult(parsed), ({ message }) => new UsedWrongly({ message: asOption(message) }))
