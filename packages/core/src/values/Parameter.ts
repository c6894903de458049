/** The value of a parameter, as a JSON Schema. */
interface ValueSchema {
  readonly type: "string" | "integer" | "number" | "boolean"
  readonly enum?: ReadonlyArray<string> | undefined
  readonly default?: string | number | boolean | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly examples?: ReadonlyArray<string> | undefined
}

/**
 * A query parameter, named by its key. The schemas of the HTTP API, the options of commands and `read` derive from it. It needs no part of
 * Effect, so that a command prints its help before that is loaded.
 */
export interface Parameter<out Value = unknown> {
  /** A phrase that can follow the name; other parameters are in backticks. */
  readonly description: string
  /** A word for the value in the help of a command. */
  readonly label: string
  /** For a list, the schema of its elements. */
  readonly schema: ValueSchema
  /** The maximum number of values of a list; absent if there is at most one value. */
  readonly most?: number
  readonly "~value"?: Value
}

export type ParameterSet = Readonly<Record<string, Parameter>>

/** Any text. */
export const text = (description: string, label: string, example?: string): Parameter<string | undefined> => {
  return {
    description,
    label,
    schema: { type: "string", examples: example === undefined ? undefined : [example] }
  }
}

/** One of the choices; without a fallback, it may be absent. */
export const choice = <const Choice extends string, Fallback extends Choice | undefined = undefined>(
  description: string,
  label: string,
  all: ReadonlyArray<Choice>,
  fallback?: Fallback
): Parameter<Choice | Fallback> => {
  return { description, label, schema: { type: "string", enum: all, default: fallback } }
}

/** `true` or `false`; without a fallback, it may be absent. */
export const flag = <Fallback extends boolean | undefined = undefined>(
  description: string,
  fallback?: Fallback
): Parameter<boolean | Fallback> => {
  return { description, label: "true|false", schema: { type: "boolean", default: fallback } }
}

/** A decimal number. */
export const number = (description: string, label: string): Parameter<number | undefined> => {
  return { description, label, schema: { type: "number" } }
}

/** A number of rows, from `minimum`. */
export const count = (
  description: string,
  minimum: number,
  fallback: number,
  maximum?: number
): Parameter<number> => {
  return { description, label: "count", schema: { type: "integer", minimum, maximum, default: fallback } }
}

type Texts<Text extends string> = Parameter<ReadonlyArray<Text> | undefined>

/** Any texts: the parameter may be repeated. */
export const texts = (description: string, label: string, example: string): Texts<string> => {
  return {
    description,
    label,
    schema: { type: "string", examples: [example] },
    most: Number.POSITIVE_INFINITY
  }
}

/** Some of the choices: repeated, separated by commas, or both. */
export const choices = <const Choice extends string>(
  description: string,
  label: string,
  all: ReadonlyArray<Choice>,
  most: number,
  ...examples: ReadonlyArray<Choice>
): Texts<Choice> => ({ description, label, schema: { type: "string", enum: all, examples }, most })

export const defaultLimit = 100
export const maxLimit = 1000

/** The part of a listing. `what` names its rows. */
export const pageOf = (what: string) => ({
  limit: count(`Maximum ${what} per page`, 1, defaultLimit, maxLimit),
  offset: count(`${what.charAt(0).toUpperCase()}${what.slice(1)} to skip`, 0, 0)
})
