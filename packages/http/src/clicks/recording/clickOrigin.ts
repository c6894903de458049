import { anonymous, userId } from "@clicks/core/access/Caller"
import type { ClickOrigin } from "@clicks/core/clicks/recording/ClickSubmission"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type Authentication, presentsCredential } from "../../access/Authentication.ts"
import { clientAddress, type TrustedProxies } from "../../access/ClientAddress.ts"

/** The parts of a request that identify the sender of its clicks. */
export type Sender = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress" | "url">

/** Where the clicks of a request come from: an effect if a credential is to be checked. */
export type Origin = ClickOrigin | Effect.Effect<ClickOrigin>

/** Never fails: a caller whose credential cannot be checked is anonymous. */
export const originOf = (
  sender: Sender,
  proxies: TrustedProxies,
  authentication: Authentication["Service"]
): Origin => {
  const origin: ClickOrigin = {
    userId: null,
    ipAddress: clientAddress(sender, proxies),
    userAgent: sender.headers["user-agent"] ?? null
  }
  if (!presentsCredential(sender.headers)) return origin
  return authentication.senderOf(sender).pipe(
    // The click is worth more than the name of its user.
    Effect.orElseSucceed(() => anonymous),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("Checking the credential of a click failed", defect), anonymous)
    ),
    Effect.map((caller) => ({ ...origin, userId: userId(caller) }))
  )
}
