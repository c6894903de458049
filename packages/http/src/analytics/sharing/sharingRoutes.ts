import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { longestToken } from "@clicks/core/clicks/links/ClickLink"
import { decode, quote } from "@clicks/core/values/InvalidInput"
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { callerRefusals, RequestCaller } from "../../access/RequestCaller.ts"
import { apiOf } from "../../openapi/declaration.ts"
import { jsonBody } from "../../requests/jsonBody.ts"
import { Forbidden } from "../../responses/errors.ts"
import { answered, badRequest, orBadRequest } from "../../responses/expectedErrors.ts"
import { Shares } from "./Shares.ts"
import { defaultDays, identifyingFields, ShareBody, SharingApi } from "./SharingApi.ts"

const dayMillis = 86_400_000

const noKey = "Only a key can share, so that revoking it ends the link. Send an API key, or log in with one"

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

// The page shows whole days.
const problemOfRange = ({ before, from, tz }: Readonly<Record<string, string>>): string | undefined => {
  if ((from ?? before ?? tz) === undefined) return undefined
  if (from === undefined || before === undefined) return "A range needs from and before"
  return isDate(from) && isDate(before) && from < before
    ? undefined
    : `from and before of a share link must be dates in order, such as 2026-11-20 and 2026-11-27; they are ${quote(from)} and ${quote(before)}`
}

// A misspelled filter must not share all clicks.
const problemOf = (
  { filter: asked, ...given }: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, string>>
): string | undefined => {
  const unknown =
    Object.keys(given).find((name) => name !== "days") ??
    Object.keys(asked ?? {}).find((name) => !Object.hasOwn(filter, name))
  if (unknown !== undefined && identifyingFields.includes(unknown))
    return `Share links do not show single visitors; remove ${unknown} from the filter`
  if (unknown !== undefined) return `Unknown field: ${quote(unknown)}`
  const empty = Object.keys(filter).find((name) => filter[name] === "")
  if (empty !== undefined) return `filter.${empty} must not be empty`
  return problemOfRange(filter)
}

const create = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const given = yield* jsonBody(request, ShareBody)
  const { days = defaultDays, filter = {} } = yield* orBadRequest(decode(ShareBody, given))
  const problem = problemOf(given, filter)
  if (problem !== undefined) return yield* badRequest({ message: problem })
  yield* orBadRequest(AnalyticsQuery.parse(filter))
  const { caller } = yield* RequestCaller.use(({ identify }) => identify(request))
  const key = caller._tag === "Anonymous" ? null : caller.key
  if (key === null) return yield* new Forbidden({ error: noKey })
  const expires_at = new Date((yield* Clock.currentTimeMillis) + days * dayMillis)
  const token = yield* Shares.use((shares) => answered(shares.create({ filter, key, expires_at })))
  const excess = token.length - longestToken
  if (excess > 0)
    return yield* badRequest({ message: `The link is too long by ${excess} characters; shorten the filter` })
  return { path: `/share/${token}`, token, expires_at }
})

/** Handles the endpoints of `SharingApi`. */
export const layer = HttpApiBuilder.group(apiOf(SharingApi), "sharing", (handlers) =>
  handlers.handleRaw("create", ({ request }) => create(request).pipe(Effect.catchTags(callerRefusals)))
)
