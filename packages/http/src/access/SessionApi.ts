import { Role } from "@clicks/core/access/Caller"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described } from "../openapi/declaration.ts"
import { bodyErrors, Forbidden, Unauthorized, Unavailable } from "../responses/errors.ts"

/** The caller of a request. */
export const SessionAnswer = Schema.Struct({
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "User of the key or token; null without a credential, even from a trusted address"
  }),
  role: Schema.NullOr(Role).annotate({
    description: "Role of the caller; null if the caller can only record clicks"
  }),
  expires_at: Schema.NullOr(Schema.DateFromString).annotate({
    description: "When the session ends; null without a session"
  })
}).annotate({ identifier: "Session" })

/** The credential to log in with. */
export const LoginBody = Schema.Struct({
  key: Schema.optionalKey(Schema.String.annotate({ description: "An API key" })),
  link: Schema.optionalKey(Schema.String.annotate({ description: "The token of a one-time link" }))
}).annotate({ identifier: "Login", description: "Exactly one of key and link" })

const path = "/api/session"

const current = HttpApiEndpoint.get("current", path, {
  success: SessionAnswer,
  error: [Forbidden, Unavailable]
}).annotateMerge(
  described({
    summary: "Show who is logged in",
    failure: "Failed to fetch the session",
    description: "Also accepts requests with a key or a token. Without a credential, all fields are null."
  })
)

const open = HttpApiEndpoint.post("open", path, {
  payload: LoginBody,
  success: SessionAnswer.pipe(HttpApiSchema.status(201)),
  error: [...bodyErrors, Unauthorized, Forbidden, Unavailable]
}).annotateMerge(
  described({
    summary: "Log in",
    failure: "Failed to log in",
    description:
      "Sets the cookie clicks_session for 12 hours. Over TLS, the cookie is called __Host-clicks_session. If the URL of the service has a port, _ and the port are appended, as in clicks_session_3000. The session has the rights of the key and ends when the key is revoked. Logging in requires the header X-Clicks-Page: 1, and so do later requests with the cookie other than GET and HEAD."
  })
)

const close = HttpApiEndpoint.delete("close", path, {
  success: HttpApiSchema.NoContent,
  error: [Forbidden, Unavailable]
}).annotateMerge(
  described({
    summary: "Log out",
    failure: "Failed to log out",
    description:
      "Ends the session of the cookie and deletes the cookie. Requires the header X-Clicks-Page: 1."
  })
)

/** Sessions of the dashboard. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(current, open, close)
  .annotateMerge(OpenApi.annotations({ title: "Session", description: "Logins of the dashboard" })) {}
