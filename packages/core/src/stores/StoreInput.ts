import { Result } from "effect"
import { parseHttpUrl } from "../values/HttpUrl.ts"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { type Entries, isForeignObject, readEntries, readText } from "./ForeignJson.ts"
import { type StoreListing, storeIdProblem } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

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
 * Reads one store of the directory's response for a state. Only `id` is required; `state` defaults to the requested one. Fails with the
 * reason.
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

/** Reads the directory's response: a JSON array of stores (`readEntries`). If an id is repeated, the last entry counts. */
export const readDirectory = (
  answer: unknown,
  asked: UsState
): Result.Result<Entries<StoreListing>, InvalidInput> =>
  Result.map(
    readEntries("store", answer, (value) => readStore(value, asked)),
    ({ read, ...rest }) => ({ ...rest, read: [...new Map(read.map((store) => [store.id, store])).values()] })
  )
