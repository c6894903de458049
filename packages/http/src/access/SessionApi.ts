import { Role } from "@clicks/core/access/Caller"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described } from "../openapi/declaration.ts"
import { bodyErrors, Forbidden, Unauthorized, Unavailable } from "../responses/errors.ts"

/** Who the caller of a request is. */
export const SessionAnswer = Schema.Struct({
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "User of the key or token; null for a trusted address and without a credential"
  }),
  role: Schema.NullOr(Role).annotate({
    description: "Role of the caller; null if the caller can only record clicks"
  }),
  expires_at: Schema.NullOr(Schema.DateFromString).annotate({
    description: "When the session ends; null without one"
  })
}).annotate({ identifier: "Session" })

/** A login. Exactly one of its fields is given. */
export const LoginBody = Schema.Struct({
  key: Schema.optionalKey(Schema.String.annotate({ description: "An API key" })),
  link: Schema.optionalKey(Schema.String.annotate({ description: "The token of a one-time link" }))
}).annotate({ identifier: "Login", description: "One of the two" })

const path = "/api/session"

const current = HttpApiEndpoint.get("current", path, {
  success: SessionAnswer,
  error: [Forbidden, Unavailable]
}).annotateMerge(
  described({
    summary: "Show who is logged in",
    failure: "Failed to fetch the session",
    description: "Also answers requests with a key or a token. Without a credential, all fields are null."
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
      "Sets the cookie clicks_session (__Host-clicks_session over TLS) for 12 hours; if the URL of the service has a port, _ and the port are appended, as in clicks_session_3000. The cookie has the rights of the key for reading. Changes also require the header X-Clicks-Page: 1, as does this request. The session ends when its key is revoked."
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
