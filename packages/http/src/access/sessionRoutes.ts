import { Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { badRequest } from "../responses/expectedErrors.ts"
import { type Login, Logins } from "./Logins.ts"
import {
  callerRefusals,
  RequestCaller,
  type RequestCallerOptions,
  refusalOf,
  sessionOf,
  unauthorized
} from "./RequestCaller.ts"
import { LoginBody, SessionApi } from "./SessionApi.ts"
import { beginning, ending, tokenOf } from "./SessionCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

const maxBytes = 16 * 1024

const unknownKey = "This key is unknown or revoked"
const usedLink = "This link has expired or has been used. For a new one, run clicks open"

const login = Effect.fnUntraced(function* (request: Request) {
  const { key, link } = (yield* jsonBody(request, LoginBody, maxBytes)) as Readonly<Record<string, unknown>>
  const logins = yield* Logins
  if (typeof key === "string" && link === undefined) {
    return [yield* logins.withKey(Redacted.make(key.trim())), unknownKey] as const
  }
  if (typeof link === "string" && key === undefined) {
    return [yield* logins.withLink(Redacted.make(link)), usedLink] as const
  }
  return yield* badRequest({ message: "The body must be a JSON object with either key or link, a string" })
})

const answer = ({ expires_at, role, user_id }: Login) => ({ user_id, role, expires_at })

/** Handles the endpoints of `SessionApi`. */
export const layer = (options: RequestCallerOptions) =>
  HttpApiBuilder.group(apiOf(SessionApi), "session", (handlers) =>
    handlers
      .handle("current", ({ request }) =>
        RequestCaller.use(({ identify }) => identify(request)).pipe(
          Effect.map(sessionOf),
          Effect.catchTags(callerRefusals)
        )
      )
      .handleRaw("open", ({ request }) =>
        Effect.gen(function* () {
          yield* refusalOf(request, options) ?? Effect.void
          const [found, problem] = yield* login(request)
          if (Option.isNone(found)) return unauthorized(problem)
          const cookie = beginning(request, options.trustedProxies, found.value.token)
          return HttpServerResponse.jsonUnsafe(answer(found.value), {
            status: 201,
            headers: { "set-cookie": cookie }
          })
        }).pipe(Effect.catchTags(callerRefusals))
      )
      .handleRaw("close", ({ request }) =>
        Effect.gen(function* () {
          yield* refusalOf(request, options) ?? Effect.void
          const token = tokenOf(request, options.trustedProxies)
          if (token !== undefined) yield* (yield* Logins).end(token)
          return HttpServerResponse.empty({
            headers: { "set-cookie": ending(request, options.trustedProxies) }
          })
        }).pipe(Effect.catchTags(callerRefusals))
      )
  )
