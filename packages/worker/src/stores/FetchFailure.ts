import { withoutSecrets } from "@clicks/core/values/HttpUrl"
import { Data } from "effect"

/** Why a URL could not be fetched. `message` is for the operator; URLs in it have no user, password or query. */
export class FetchFailure extends Data.TaggedError("FetchFailure")<{
  readonly message: string
  /** Whether another request may succeed. */
  readonly retryable: boolean
  /** How long the server asks to wait before the next request, in milliseconds. */
  readonly retryAfter?: number
  readonly cause?: unknown
}> {}

/** A failure that another request would not change. `what` follows the URL. */
export const refuse = (url: URL, what: string): FetchFailure =>
  new FetchFailure({ message: `${withoutSecrets(url.href)} ${what}`, retryable: false })
