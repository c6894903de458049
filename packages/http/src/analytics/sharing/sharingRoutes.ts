import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { decode, quote } from "@clicks/core/values/InvalidInput"
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { RequestCaller } from "../../access/RequestCaller.ts"
import { callerRefusals } from "../../access/refusals.ts"
import { apiOf } from "../../openapi/declaration.ts"
import { jsonBody } from "../../requests/jsonBody.ts"
import { Forbidden } from "../../responses/errors.ts"
import { answered, badRequest, orBadRequest } from "../../responses/expectedErrors.ts"
import { Shares } from "./Shares.ts"
import { defaultDays, ShareBody, SharingApi } from "./SharingApi.ts"

const dayMillis = 86_400_000

const noKey = "Only a key can share, so that revoking it ends the link. Send an API key, or log in with one"

const create = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const given = yield* jsonBody(request, ShareBody)
  const { days = defaultDays, filter = {} } = yield* orBadRequest(decode(ShareBody, given))
  // A filter that is spelled wrong must not share all clicks.
  const unknown = Object.keys(given["filter"] ?? {}).find((name) => !(name in filter))
  if (unknown !== undefined) return yield* badRequest({ message: `Unknown filter: ${quote(unknown)}` })
  yield* orBadRequest(AnalyticsQuery.parse(filter))
  const { caller } = yield* RequestCaller.use(({ identify }) => identify(request))
  const key = caller._tag === "Anonymous" ? null : caller.key
  if (key === null) return yield* new Forbidden({ error: noKey })
  const expires_at = new Date((yield* Clock.currentTimeMillis) + days * dayMillis)
  const token = yield* Shares.use((shares) => answered(shares.create({ filter, key, expires_at })))
  return { path: `/share/${token}`, token, expires_at }
})

/** Handles the endpoints of `SharingApi`. */
export const layer = HttpApiBuilder.group(apiOf(SharingApi), "sharing", (handlers) =>
  handlers.handleRaw("create", ({ request }) => create(request).pipe(Effect.catchTags(callerRefusals)))
)
