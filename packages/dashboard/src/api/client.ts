import { shared } from "../state/share.ts"
import type { AnswerOf, BodyOf, PathOf, QueryOf } from "./endpoints.ts"

/** A response other than a success. Status 0: there was no response. */
export class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const unreachable = "The service does not respond. Check that it is running and that you are online."

const messageIn = async (response: Response): Promise<string> => {
  const body = await response.json().catch(() => ({}))
  return typeof body?.error === "string"
    ? body.error
    : `The service responded with status ${response.status}.`
}

const ask = async (url: string, init: RequestInit): Promise<Response> => {
  const headers = { ...init.headers, ...(shared && { "x-clicks-share": shared.token }) }
  const response = await fetch(url, { credentials: "same-origin", ...init, headers }).catch((cause) => {
    if (init.signal?.aborted) throw cause
    throw new ApiError(0, unreachable)
  })
  if (!response.ok) throw new ApiError(response.status, await messageIn(response))
  return response
}

/** A URL with a query. Parameters without a value are omitted. */
export const urlOf = (path: string, query: object): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** A query for an endpoint. A parameter that the endpoint does not declare is a type error. */
export type QueryFor<Path, Query> = Query &
  QueryOf<Path> & { readonly [name in Exclude<keyof Query, keyof QueryOf<Path>>]: never }

/** Reads from an endpoint. */
export const read = async <Path extends PathOf<"GET">, Query>(
  path: Path,
  query: QueryFor<Path, Query>,
  signal?: AbortSignal
): Promise<AnswerOf<"GET", Path>> => (await ask(urlOf(path, query), { ...(signal && { signal }) })).json()

const pathTo = (path: string, id: string): string => path.replace(":id", encodeURIComponent(id))

/** Whether an endpoint finds the object with this id. Any failure but 404 counts as found. */
export const finds = async <Path extends PathOf<"GET">, Query>(
  path: Path,
  id: string,
  query: QueryFor<Path, Query>
): Promise<boolean> =>
  ask(urlOf(pathTo(path, id), query), {}).then(
    () => true,
    (error: unknown) => !(error instanceof ApiError && error.status === 404)
  )

type Changing = "POST" | "PUT" | "DELETE"

/** Sends a change to an endpoint. `id` replaces `:id` in the path. */
export const change = async <Method extends Changing, Path extends PathOf<Method>>(
  method: Method,
  path: Path,
  given: { readonly id?: string; readonly body?: BodyOf<Method, Path> } = {}
): Promise<AnswerOf<Method, Path>> => {
  const headers = {
    "x-clicks-page": "1",
    ...(given.body !== undefined && { "content-type": "application/json" })
  }
  const response = await ask(pathTo(path, given.id ?? ""), {
    method,
    headers,
    ...(given.body !== undefined && { body: JSON.stringify(given.body) })
  })
  return response.status === 204 ? (undefined as AnswerOf<Method, Path>) : response.json()
}
