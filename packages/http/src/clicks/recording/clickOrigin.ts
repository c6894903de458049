import { anonymous, userId } from "@clicks/core/access/Caller"
import type { ClickOrigin } from "@clicks/core/clicks/recording/ClickSubmission"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type Authentication, presentsCredential } from "../../access/Authentication.ts"
import { clientAddress, type TrustedProxies } from "../../access/ClientAddress.ts"

/** The parts of a request that identify the sender of its clicks. */
export type Sender = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress" | "url">

/** The origin of a request's clicks. An effect if a credential has to be checked. */
export type Origin = ClickOrigin | Effect.Effect<ClickOrigin>

/** Never fails: if the credential cannot be checked, the caller is anonymous. */
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
    // A click without its user is worth more than no click.
    Effect.orElseSucceed(() => anonymous),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("Checking the credential of a click failed", defect), anonymous)
    ),
    Effect.map((caller) => ({ ...origin, userId: userId(caller) }))
  )
}
