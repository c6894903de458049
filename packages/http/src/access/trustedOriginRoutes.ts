import { OriginTrust } from "@clicks/core/access/OriginTrust"
import type { TrustedOrigin } from "@clicks/core/access/TrustedOrigin"
import { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as changes from "@clicks/core/access/trustedOriginChanges"
import { Effect, Predicate, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { badRequest, conflict, orNotFound } from "../responses/expectedErrors.ts"
import { NewTrustedOrigin, TrustedOriginChange, TrustedOriginsApi } from "./TrustedOriginsApi.ts"

const withEffect = (entry: TrustedOrigin) =>
  OriginTrust.useSync(({ effectOf }) => ({ ...entry, effect: effectOf(entry.kind) }))

const maxBytes = 64 * 1024

const fieldsOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Top
) {
  const value = yield* jsonBody(request, schema, maxBytes)
  if (!Predicate.isObject(value) || Array.isArray(value)) {
    return yield* badRequest({ message: "The body must be a JSON object" })
  }
  return value as Readonly<Record<string, unknown>>
})

const expected = {
  InvalidInput: badRequest,
  RepeatedTrustedOrigin: conflict,
  PortError: Effect.die
}

const list = Effect.gen(function* () {
  const entries = yield* TrustedOrigins.use((origins) => origins.list)
  return { trusted_origins: yield* Effect.forEach(entries, withEffect), total: entries.length }
})

/** Handles the endpoints of `TrustedOriginsApi`. Core validates the bodies, and words the errors. */
export const layer = HttpApiBuilder.group(apiOf(TrustedOriginsApi), "trustedOrigins", (handlers) =>
  handlers
    .handle("list", () => Effect.orDie(list))
    .handleRaw("add", ({ request }) =>
      fieldsOf(request, NewTrustedOrigin).pipe(
        Effect.flatMap(changes.add),
        Effect.catchTags(expected),
        Effect.flatMap(withEffect)
      )
    )
    .handleRaw("update", ({ params: { id }, request }) =>
      fieldsOf(request, TrustedOriginChange).pipe(
        Effect.flatMap((fields) => changes.update(id, fields)),
        Effect.catchTags(expected),
        orNotFound(`trusted origin ${id}`),
        Effect.flatMap(withEffect)
      )
    )
    .handle("remove", ({ params: { id } }) =>
      changes.remove(id).pipe(Effect.orDie, orNotFound(`trusted origin ${id}`), Effect.asVoid)
    )
)
