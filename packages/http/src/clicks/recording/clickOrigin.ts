import { anonymous, userId } from "@clicks/core/access/Caller"
import type { ClickOrigin } from "@clicks/core/clicks/recording/ClickSubmission"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Authentication } from "../../access/Authentication.ts"
import { clientAddress, type TrustedProxies } from "../../access/ClientAddress.ts"
import { presentsCredential } from "../../access/Credential.ts"

/** What of a request tells whose clicks it brings. */
export type Sender = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">

/** Where clicks come from, of one who does not say who he is. */
export const anonymousOrigin = (sender: Sender, proxies: TrustedProxies): ClickOrigin => ({
  userId: null,
  ipAddress: clientAddress(sender, proxies),
  userAgent: sender.headers["user-agent"] ?? null
})

/** Who sends clicks, and from where. Never fails: a caller whose credential cannot be checked is anonymous. */
export const clickOrigin = (
  request: Sender,
  proxies: TrustedProxies,
  authentication: Authentication["Service"]
): Effect.Effect<ClickOrigin> => {
  const origin = anonymousOrigin(request, proxies)
  if (!presentsCredential(request.headers)) return Effect.succeed(origin)
  return authentication.senderOf(request).pipe(
    // The click is worth more than the name of its user.
    Effect.orElseSucceed(() => anonymous),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("Checking the credential of a click failed", defect), anonymous)
    ),
    Effect.map((caller) => ({ ...origin, userId: userId(caller) }))
  )
}
