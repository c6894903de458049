import type { Parameter, ParameterSet } from "@clicks/core/values/Parameter"
import { type Command, InvalidArgumentError, Option } from "commander"

/** The option of a parameter: price_max becomes --price-max. */
export const flagOf = (name: string): string => `--${name.replaceAll("_", "-")}`

/** Replaces parameters in backticks, such as `group_by=action`, by options. */
export const withFlags = (sentence: string): string =>
  sentence.replace(/`(\w+)(?:=(\w+))?`/g, (_, name, value) =>
    value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`
  )

// `--from "$SINCE"` with an unset variable must not mean all clicks.
const given = (value: string): string => {
  if (value === "") throw new InvalidArgumentError("The value is empty. To leave it open, omit the option.")
  return value
}

const collect = (value: string, earlier: ReadonlyArray<string> = []) => [...earlier, given(value)]

const optionOf = (name: string, { description, label, most, schema }: Parameter): Option => {
  const { default: fallback, maximum, minimum, type } = schema
  const choices = type === "boolean" ? ["true", "false"] : schema.enum
  const phrase = withFlags(description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()))
  const range = maximum === undefined ? "" : `, ${minimum} to ${maximum}`
  const byDefault = fallback ? ` (default ${fallback})` : ""
  const value = most !== undefined && choices !== undefined ? `${label}...` : label
  const option = new Option(`${flagOf(name)} <${value}>`, `${phrase}${range}${byDefault}`)
  if (choices !== undefined) return option.choices(choices)
  return most === undefined ? option.argParser(given) : option.argParser(collect)
}

/** Declares the options of parameters on a command. */
export const withParameters = (command: Command, declared: ParameterSet): Command => {
  for (const [name, parameter] of Object.entries(declared)) command.addOption(optionOf(name, parameter))
  return command
}
