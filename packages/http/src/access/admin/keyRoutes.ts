import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../../openapi/declaration.ts"
import { decodedBody } from "../../requests/jsonBody.ts"
import { answered, orNotFound } from "../../responses/expectedErrors.ts"
import { KeysApi, NewKey } from "./KeysApi.ts"

const list = ApiKeys.use((keys) => Effect.map(keys.list, (all) => ({ keys: all, total: all.length })))

/** Handles the endpoints of `KeysApi`. */
export const layer = HttpApiBuilder.group(apiOf(KeysApi), "keys", (handlers) =>
  handlers
    .handle("list", () => answered(list))
    .handleRaw("create", ({ request }) =>
      Effect.gen(function* () {
        const { name = null, role = "reader", user_id } = yield* decodedBody(request, NewKey)
        const created = yield* answered(ApiKeys.use((keys) => keys.create({ user_id, role, name })))
        return HttpServerResponse.jsonUnsafe(
          { ...created.key, secret: Redacted.value(created.secret) },
          { status: 201 }
        )
      })
    )
    .handle("revoke", ({ params: { id } }) =>
      answered(ApiKeys.use((keys) => keys.revoke(id))).pipe(orNotFound(`key ${id}`), Effect.asVoid)
    )
)
