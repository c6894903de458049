import { Effect } from "effect"
import { errorResponse } from "../responses/apiResponse.ts"

/** Answers 401. */
export const unauthorized = (message: string) => errorResponse(401, message, { "www-authenticate": "Bearer" })

/** Answers a request whose caller cannot be found: 503 or 403. */
export const callerRefusals = {
  CredentialUnchecked: () =>
    Effect.succeed(
      errorResponse(503, "Authentication is temporarily unavailable. Try again in 10 seconds", {
        "retry-after": "10"
      })
    ),
  SessionRefused: ({ message }: { readonly message: string }) => Effect.succeed(errorResponse(403, message))
}
