import { Result } from "effect"
import { parseHttpUrl } from "../values/HttpUrl.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { isForeignObject, readText } from "./ForeignJson.ts"
import { type StoreListing, storeIdProblem } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

/** A parsed directory. `firstError` is the reason of the first rejection. */
export interface ParsedDirectory {
  readonly stores: ReadonlyArray<StoreListing>
  readonly rejected: number
  readonly firstError: string | null
}

const maxStores = 100_000

const readId = (value: unknown): Result.Result<string, string> => {
  const id = typeof value === "number" ? String(value) : value
  if (typeof id !== "string" || id === "") return Result.fail("id is required and must be a non-empty string")
  const problem = storeIdProblem(id)
  return problem === undefined ? Result.succeed(id) : Result.fail(`id ${problem}`)
}

const readState = (value: unknown, asked: UsState): Result.Result<UsState, string> => {
  const text = readText(value)
  if (text === null) return Result.succeed(asked)
  const state = usStates.find((known) => known === text.trim().toUpperCase())
  return state === undefined ? Result.fail("state must be a two-letter US state") : Result.succeed(state)
}

const readMenuUrl = (value: unknown): Result.Result<string | null, string> => {
  const text = readText(value)
  if (text === null) return Result.succeed(null)
  const url = parseHttpUrl(text)?.href
  return url === undefined ? Result.fail("menu_url is not an http or https URL") : Result.succeed(url)
}

/**
 * Reads one store of a directory's answer for a state. Only `id` is required; `state` defaults to the requested one. Fails with
 * the reason.
 */
export const readStore = (value: unknown, asked: UsState): Result.Result<StoreListing, string> =>
  Result.gen(function* () {
    if (!isForeignObject(value)) return yield* Result.fail("a store must be an object")
    return {
      id: yield* readId(value["id"]),
      name: readText(value["name"]),
      state: yield* readState(value["state"], asked),
      menu_url: yield* readMenuUrl(value["menu_url"])
    }
  })

/**
 * Reads a directory's answer: a JSON array of stores. An entry that is no store is rejected and its neighbours are kept; of
 * two with the same id the later one holds. Fails when it is no array, or has entries and none is a store.
 */
export const readDirectory = (
  answer: unknown,
  asked: UsState
): Result.Result<ParsedDirectory, InvalidInput> => {
  if (!Array.isArray(answer)) return invalid("is not an array of stores")
  if (answer.length > maxStores) return invalid(`has ${answer.length} stores; the limit is ${maxStores}`)
  const results = answer.map((value) => readStore(value, asked))
  const stores = new Map(results.filter(Result.isSuccess).map(({ success }) => [success.id, success]))
  const failures = results.filter(Result.isFailure)
  const firstError = failures[0]?.failure ?? null
  if (stores.size === 0 && firstError !== null)
    return invalid(`has no store in it; the first entry: ${firstError}`)
  return Result.succeed({ stores: Array.from(stores.values()), rejected: failures.length, firstError })
}
