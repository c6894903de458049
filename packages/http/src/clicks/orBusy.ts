import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { errorResponse } from "../responses/apiResponse.ts"

const busy = errorResponse(
  503,
  "Too many exports or large listings are in progress. Try again in 10 seconds",
  { "retry-after": "10" }
)

/** Answers 503 if the store has too many readers. */
export const orBusy = <E, R>(self: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catchIf(
    self,
    (error) => error instanceof ClickStoreError && error.reason === "Busy",
    () => Effect.succeed(busy)
  )
