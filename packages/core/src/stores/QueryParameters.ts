import { Result, Schema } from "effect"
import type { ProductFilter } from "./ProductFilter.ts"

/** A parameter that cannot be understood. `message` names it and says what it takes. */
export class InvalidStoresQuery extends Schema.TaggedError<InvalidStoresQuery>()("InvalidStoresQuery", {
  message: Schema.String
}) {}

/** The parameters as they are typed: in a URL or on a command line. A list where one was repeated. An empty one is absent. */
export type QueryParameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

type Parsed<A> = Result.Result<A, InvalidStoresQuery>

const invalid = (message: string) => Result.fail(new InvalidStoresQuery({ message }))

const all = (parameters: QueryParameters, name: string): ReadonlyArray<string> =>
  [parameters[name] ?? []].flat().filter((text) => text !== "")

const single = (parameters: QueryParameters, name: string): Parsed<string | undefined> => {
  const texts = all(parameters, name)
  return texts.length > 1 ? invalid(`${name} must be given only once`) : Result.succeed(texts[0])
}

const anyOf = (parameters: QueryParameters, name: "brand" | "category") => {
  const wanted = all(parameters, name)
  return wanted.length === 0 ? {} : { [name]: wanted }
}

const number = (parameters: QueryParameters, name: string): Parsed<Readonly<Record<string, number>>> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed({})
    return /^[+-]?(\d{1,15}\.?\d{0,15}|\.\d{1,15})$/.test(text)
      ? Result.succeed({ [name]: Number(text) })
      : invalid(`${name} must be a number, such as 12.5`)
  })

/** One of the `choices`, or undefined. */
export const oneOf = <Choice extends string>(
  parameters: QueryParameters,
  name: string,
  choices: ReadonlyArray<Choice>
): Parsed<Choice | undefined> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed(undefined)
    const choice = choices.find((known) => known === text)
    return choice === undefined
      ? invalid(`${name} must be one of: ${choices.join(", ")}`)
      : Result.succeed(choice)
  })

/** A whole number within the range, or the fallback. */
export const wholeNumber = (
  parameters: QueryParameters,
  name: string,
  range: { readonly fallback: number; readonly min: number; readonly max: number }
): Parsed<number> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed(range.fallback)
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.min && value <= range.max) return Result.succeed(value)
    const meant =
      range.max === Number.MAX_SAFE_INTEGER ? `${range.min} or more` : `from ${range.min} to ${range.max}`
    return invalid(`${name} must be a whole number, ${meant}`)
  })

/** Reads the filters that query and aggregate share. Fails with a sentence about the first that cannot be understood. */
export const parseFilter = (parameters: QueryParameters): Parsed<ProductFilter> =>
  Result.gen(function* () {
    const in_stock = yield* oneOf(parameters, "in_stock", ["true", "false"])
    const search = yield* single(parameters, "search")
    return {
      ...anyOf(parameters, "brand"),
      ...anyOf(parameters, "category"),
      ...(yield* number(parameters, "price_min")),
      ...(yield* number(parameters, "price_max")),
      ...(yield* number(parameters, "thc_min")),
      ...(yield* number(parameters, "thc_max")),
      ...(in_stock !== undefined && { in_stock: in_stock === "true" }),
      ...(search !== undefined && { search })
    }
  })
