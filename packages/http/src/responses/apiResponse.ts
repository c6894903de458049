import { HttpServerResponse } from "effect/http"

/** The headers of every response of the API: no caching, no content sniffing. */
export const apiHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const

/** An error in the format of all endpoints except recording: `{error}`. */
export const errorResponse = (
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error }, { status, headers: { ...apiHeaders, ...headers } })

/** 503 with `Retry-After`. The message must give the same time: 10 seconds. */
export const tryLater = (error: string) => errorResponse(503, error, { "retry-after": "10" })

/** 503: the response needs the archive of older clicks, which is unavailable. */
export const noHistory = tryLater(
  "The archive of older clicks is unavailable. Clicks are recorded, and recent ranges of time can be listed. Try again in 10 seconds"
)
