import { useEffect, useState } from "preact/hooks"
import { refreshes } from "../state/refresh.ts"
import { ApiError, type QueryFor, read } from "./client.ts"
import type { AnswerOf, PathOf } from "./endpoints.ts"
import { endSession } from "./session.ts"

/** The data of a panel. While newer data is loading, the older data stays. */
export interface Loaded<A> {
  readonly data?: A
  readonly error?: ApiError
  readonly isLoading: boolean
}

// Recent responses: when a user returns to a screen, it shows its last figures while new ones load.
const recent = new Map<string, unknown>()
const maxRecent = 40

const remember = (key: string, data: unknown): void => {
  recent.delete(key)
  recent.set(key, data)
  const oldest = recent.size > maxRecent ? recent.keys().next().value : undefined
  if (oldest !== undefined) recent.delete(oldest)
}

const toError = (cause: unknown): ApiError => {
  if (!(cause instanceof ApiError))
    return new ApiError(0, "The page could not read the response. Reload the page.")
  if (cause.status === 401) endSession(cause)
  return cause
}

/** Loads data, and loads it again when `key` changes and at each refresh. */
export const useLoad = <A>(key: string, load: (signal: AbortSignal) => Promise<A>): Loaded<A> => {
  const [state, setState] = useState<Loaded<A> & { readonly key: string }>({ key: "", isLoading: true })
  const refresh = refreshes.value
  useEffect(() => {
    const controller = new AbortController()
    const known = recent.get(key) as A | undefined
    setState((before) => ({
      key,
      isLoading: true,
      ...(known !== undefined ? { data: known } : before.data !== undefined && { data: before.data })
    }))
    load(controller.signal).then(
      (data) => {
        remember(key, data)
        if (!controller.signal.aborted) setState({ key, data, isLoading: false })
      },
      (cause) => {
        if (!controller.signal.aborted) setState({ key, error: toError(cause), isLoading: false })
      }
    )
    return () => controller.abort()
  }, [key, refresh])
  return state
}

/** Reads from an endpoint, and again when the query changes and at each refresh. */
export const useRead = <Path extends PathOf<"GET">, Query>(
  path: Path,
  query: QueryFor<Path, Query>
): Loaded<AnswerOf<"GET", Path>> =>
  useLoad(`${path} ${JSON.stringify(query)}`, (signal) => read<Path, Query>(path, query, signal))
