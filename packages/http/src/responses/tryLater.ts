import { errorResponse } from "./apiResponse.ts"

/** 503 with `Retry-After`. The sentence says how long to wait: 10 seconds. */
export const tryLater = (error: string) => errorResponse(503, error, { "retry-after": "10" })

/** The archive of older clicks is away, and the answer needs it. */
export const noHistory = tryLater(
  "The archive of older clicks is unavailable. Clicks are recorded, and recent ranges of time can be listed. Try again in 10 seconds"
)
