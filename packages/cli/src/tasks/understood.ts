import type { InvalidTasks } from "@clicks/core/tasks/InvalidTasks"
import { Effect, type Result } from "effect"
import { UsedWrongly } from "../program/CommandError.ts"

const typed = /^-?\d{1,15}(\.\d{1,15})?$/

/** What somebody typed as a number; anything else stays a text, so that the rules in core say what is wrong with it. */
export const number = (text: string): number | string => (typed.test(text) ? Number(text) : text)

/** What the options say; `asOption` turns the sentence from core, which begins with a field's name, into one about them. */
export const understood = <A>(
  parsed: Result.Result<A, InvalidTasks>,
  asOption = (sentence: string) => sentence
): Effect.Effect<A, UsedWrongly> =>
  Effect.mapError(Effect.fromResult(parsed), ({ message }) => new UsedWrongly({ message: asOption(message) }))

/** A sentence that begins with the name of a field, as one about the option of that name. */
export const named = (sentence: string): string =>
  sentence.replace(/^\w+/, (name) => `--${name.replaceAll("_", "-")}`)
