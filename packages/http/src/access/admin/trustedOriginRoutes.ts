import { OriginTrust } from "@clicks/core/access/OriginTrust"
import type { TrustedOrigin } from "@clicks/core/access/TrustedOrigin"
import { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as changes from "@clicks/core/access/trustedOriginChanges"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../../openapi/declaration.ts"
import { jsonBody } from "../../requests/jsonBody.ts"
import { answered, orNotFound } from "../../responses/expectedErrors.ts"
import { NewTrustedOrigin, TrustedOriginChange, TrustedOriginsApi } from "./TrustedOriginsApi.ts"

const withEffect = (entry: TrustedOrigin) =>
  OriginTrust.useSync(({ effectOf }) => ({ ...entry, effect: effectOf(entry.kind) }))

const maxBytes = 64 * 1024

const list = Effect.gen(function* () {
  const entries = yield* TrustedOrigins.use((origins) => origins.list)
  return { trusted_origins: yield* Effect.forEach(entries, withEffect), total: entries.length }
})

/** Handles the endpoints of `TrustedOriginsApi`. Core validates the bodies and writes the error messages. */
export const layer = HttpApiBuilder.group(apiOf(TrustedOriginsApi), "trustedOrigins", (handlers) =>
  handlers
    .handle("list", () => answered(list))
    .handleRaw("add", ({ request }) =>
      jsonBody(request, NewTrustedOrigin, maxBytes).pipe(
        Effect.flatMap((fields) => answered(changes.add(fields))),
        Effect.flatMap(withEffect)
      )
    )
    .handleRaw("update", ({ params: { id }, request }) =>
      jsonBody(request, TrustedOriginChange, maxBytes).pipe(
        Effect.flatMap((fields) => answered(changes.update(id, fields))),
        orNotFound(`trusted origin ${id}`),
        Effect.flatMap(withEffect)
      )
    )
    .handle("remove", ({ params: { id } }) =>
      answered(changes.remove(id)).pipe(orNotFound(`trusted origin ${id}`), Effect.asVoid)
    )
)
