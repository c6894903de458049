import { Effect, Layer, Option, type Types } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Readers, shareHeader, Viewers } from "../../access/AccessApi.ts"
import { inTime } from "../../access/Authentication.ts"
import { callerRefusals, unauthorized } from "../../access/RequestCaller.ts"
import { errorResponse } from "../../responses/apiResponse.ts"
import { type Share, Shares } from "./Shares.ts"
import { identifyingFields } from "./SharingApi.ts"

type Handled = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>
type Asked = Readonly<Record<string, string | Array<string>>>

// Includes `compare`: a comparison would show an earlier range.
const rangeNames = new Set(["from", "to", "before", "tz", "compare"])

/** The parameters of the request, replaced by those that the link sets. If the link sets a range, all range parameters are replaced. */
const fixed = (asked: Asked, filter: Share["filter"]): Asked => {
  const fixesRange = filter["from"] !== undefined
  const kept = Object.entries(asked).filter(([name]) => !(fixesRange && rangeNames.has(name)))
  return { ...Object.fromEntries(kept), ...filter }
}

/** Whether the request selects or groups by single visitors. */
const identifies = ({ group_by = [], ...asked }: Asked): boolean =>
  [group_by, Object.keys(asked)]
    .flat(2)
    .some((fields) => fields.split(",").some((field) => identifyingFields.includes(field.trim())))

const single = errorResponse(403, "Share links do not show single visitors")

const ended =
  "This share link is not valid, has expired, or was ended by its owner. Ask its sender for a new one"

const make = Effect.gen(function* () {
  const readers = yield* Readers
  const shares = yield* Shares

  const open = (token: string) =>
    Effect.catch(inTime(shares.open(token)), (error) =>
      Effect.as(Effect.logWarning("A share link cannot be checked", error), undefined)
    )

  const shared = (app: Handled, token: string) =>
    Effect.flatMap(open(token), (found) => {
      if (found === undefined) return callerRefusals.CredentialUnchecked()
      if (Option.isNone(found)) return Effect.succeed(unauthorized(ended))
      const { filter } = found.value
      return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (asked) =>
        identifies(asked)
          ? Effect.succeed(single)
          : Effect.provideService(app, HttpServerRequest.ParsedSearchParams, fixed(asked, filter))
      )
    })

  const view = <Options extends Parameters<typeof readers.bearer>[1]>(app: Handled, options: Options) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const token = headers[shareHeader.toLowerCase()]
      return token === undefined ? readers.bearer(app, options) : shared(app, token)
    })

  // As in `accessControl`: only the first is ever called.
  return Viewers.of({ bearer: view, apiKey: view, session: view, share: view })
})

/** Guards the endpoints that share links may read. */
export const layer: Layer.Layer<Viewers, never, Readers | Shares> = Layer.effect(Viewers, make)
