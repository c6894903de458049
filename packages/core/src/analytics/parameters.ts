import { Result } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { all, oneOf, type QueryParameters } from "../values/QueryParameters.ts"

/** The values of a parameter that is repeated, has commas, or both; each once. */
export const list = (parameters: QueryParameters, name: string): ReadonlyArray<string> =>
  Array.from(new Set(all(parameters, name).flatMap((text) => text.split(",")))).filter((text) => text !== "")

/** A parameter that is `true` or `false`. */
export const flag = (
  parameters: QueryParameters,
  name: string,
  fallback: boolean
): Result.Result<boolean, InvalidInput> =>
  Result.map(oneOf(parameters, name, ["true", "false"]), (text) =>
    text === undefined ? fallback : text === "true"
  )
