import { Result } from "effect"
import { type InvalidInput, invalid } from "./InvalidInput.ts"

/** Parameters as given in a URL or on a command line: an array if one was repeated. An empty parameter counts as absent. */
export type QueryParameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

type Parsed<A> = Result.Result<A, InvalidInput>

/** All values of a parameter that may be repeated. */
export const all = (parameters: QueryParameters, name: string): ReadonlyArray<string> =>
  [parameters[name] ?? []].flat().filter((text) => text !== "")

/** The value of a parameter; undefined if it is absent. */
export const single = (parameters: QueryParameters, name: string): Parsed<string | undefined> => {
  const texts = all(parameters, name)
  return texts.length > 1 ? invalid(`${name} must be given only once`) : Result.succeed(texts[0])
}

/** One of the `choices`; undefined if the parameter is absent. */
export const oneOf = <Choice extends string>(
  parameters: QueryParameters,
  name: string,
  choices: ReadonlyArray<Choice>
): Parsed<Choice | undefined> =>
  Result.flatMap(single(parameters, name), (text) => {
    const choice = choices.find((known) => known === text)
    return text !== undefined && choice === undefined
      ? invalid(`${name} must be one of: ${choices.join(", ")}`)
      : Result.succeed(choice)
  })

/** A whole decimal number within the range; the fallback if the parameter is absent. Without `max`, any size is valid. */
export const wholeNumber = (
  parameters: QueryParameters,
  name: string,
  range: { readonly fallback: number; readonly min: number; readonly max?: number }
): Parsed<number> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed(range.fallback)
    const { max, min } = range
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && (max === undefined || number <= max)) return Result.succeed(number)
    return invalid(
      `${name} must be a whole number, ${max === undefined ? `${min} or more` : `from ${min} to ${max}`}`
    )
  })

export const defaultLimit = 100
export const maxLimit = 1000

/** The requested part of a listing. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** `limit`, from 1 to 1000, and `offset`. */
export const page = (parameters: QueryParameters): Parsed<Page> =>
  Result.gen(function* () {
    const limit = yield* wholeNumber(parameters, "limit", { fallback: defaultLimit, min: 1, max: maxLimit })
    return { limit, offset: yield* wholeNumber(parameters, "offset", { fallback: 0, min: 0 }) }
  })
