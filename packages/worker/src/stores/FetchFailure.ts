import { Data } from "effect"

/** Why a URL could not be fetched. `message` is a sentence for the operator; a URL in it is without user, password and query. */
export class FetchFailure extends Data.TaggedError("FetchFailure")<{
  readonly message: string
  /** Whether trying again later may help. */
  readonly retryable: boolean
  /** How long the server asks to wait before, in milliseconds. */
  readonly retryAfter?: number
  readonly cause?: unknown
}> {}
