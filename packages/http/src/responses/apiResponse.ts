import { HttpServerResponse } from "effect/http"

/** What every answer of the API carries: it is nobody's to keep, and is only what its content type says. */
export const apiHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const

/** An error as every endpoint but recording gives it: `{error}`. */
export const errorResponse = (
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error }, { status, headers: { ...apiHeaders, ...headers } })
