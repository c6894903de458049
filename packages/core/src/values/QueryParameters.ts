import { Predicate, Record, Result } from "effect"
import { type InvalidInput, invalid, quote } from "./InvalidInput.ts"
import type { Parameter, ParameterSet } from "./Parameter.ts"

/** Parameters as given in a URL or on a command line: an array if one was repeated. An empty parameter counts as absent. */
export type QueryParameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

type Parsed<A> = Result.Result<A, InvalidInput>

const all = (parameters: QueryParameters, name: string): ReadonlyArray<string> =>
  [parameters[name] ?? []].flat().filter((text) => text !== "")

/** The value of a parameter; undefined if it is absent. */
export const single = (parameters: QueryParameters, name: string): Parsed<string | undefined> => {
  const texts = all(parameters, name)
  return texts.length > 1 ? invalid(`${name} must be given only once`) : Result.succeed(texts[0])
}

const decimal = /^[+-]?(\d{1,15}\.?\d{0,15}|\.\d{1,15})$/

const readCount = (name: string, text: string, { maximum, minimum = 0 }: Parameter["schema"]) => {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  const largest = maximum ?? Number.MAX_SAFE_INTEGER
  if (number >= minimum && number <= largest) return Result.succeed(number)
  const isOpen = maximum === undefined && !(number > largest)
  const range = isOpen ? `${minimum} or more` : `from ${minimum} to ${largest}`
  return invalid(`${name} must be a whole number, ${range}; it is ${quote(text)}`)
}

const readOne = (name: string, text: string, schema: Parameter["schema"]): Parsed<unknown> => {
  const { enum: choices = ["true", "false"], type } = schema
  if (type === "integer") return readCount(name, text, schema)
  if (type === "number")
    return decimal.test(text)
      ? Result.succeed(Number(text))
      : invalid(`${name} must be a number, such as 12.5; it is ${quote(text)}`)
  if (type === "string" && schema.enum === undefined) return Result.succeed(text)
  if (!choices.includes(text))
    return invalid(`${name} must be one of: ${choices.join(", ")}; it is ${quote(text)}`)
  return Result.succeed(type === "boolean" ? text === "true" : text)
}

const readList = (
  name: string,
  given: ReadonlyArray<string>,
  { most = 0, schema: { enum: choices } }: Parameter
): Parsed<unknown> => {
  if (given.length === 0) return Result.succeed(undefined)
  if (choices === undefined) return Result.succeed(given)
  const values = Array.from(new Set(given.flatMap((text) => text.split(",")))).filter((text) => text !== "")
  const unknown = values.find((value) => !choices.includes(value))
  if (unknown !== undefined)
    return invalid(
      `${name} must be one or ${most === 2 ? "two" : "more"} of: ${choices.join(", ")}; it contains ${quote(unknown)}`
    )
  return values.length > most
    ? invalid(`${name} takes at most ${most} values; it has ${values.length}: ${values.join(", ")}`)
    : Result.succeed(values)
}

const readValue = (parameters: QueryParameters, name: string, declared: Parameter): Parsed<unknown> =>
  declared.most === undefined
    ? Result.flatMap(single(parameters, name), (text) =>
        text === undefined ? Result.succeed(declared.schema.default) : readOne(name, text, declared.schema)
      )
    : readList(name, all(parameters, name), declared)

type ValueOf<Declared> = Declared extends Parameter<infer Value> ? Value : never
type Optional<Declared extends ParameterSet> = {
  [Name in keyof Declared]: undefined extends ValueOf<Declared[Name]> ? Name : never
}[keyof Declared]

/** The values of declared parameters. Absent ones without a default have no key. */
export type Values<Declared extends ParameterSet> = {
  readonly [Name in Exclude<keyof Declared, Optional<Declared>>]: ValueOf<Declared[Name]>
} & { readonly [Name in Optional<Declared>]?: Exclude<ValueOf<Declared[Name]>, undefined> }

/** Reads the declared parameters. Fails with a message about the first invalid one. */
export const read = <Declared extends ParameterSet>(
  parameters: QueryParameters,
  declared: Declared
): Parsed<Values<Declared>> =>
  Result.map(
    Result.all(Record.map(declared as ParameterSet, (each, name) => readValue(parameters, name, each))),
    (values) => Record.filter(values, Predicate.isNotUndefined) as Values<Declared>
  )

/** The requested part of a listing. */
export interface Page {
  readonly limit: number
  readonly offset: number
}
