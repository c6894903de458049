import { OriginTrust } from "@clicks/core/access/OriginTrust"
import type { InvalidTrustedOrigin, TrustedOrigin } from "@clicks/core/access/TrustedOrigin"
import {
  type RepeatedTrustedOrigin,
  TrustedOrigins,
  type TrustedOriginsError
} from "@clicks/core/access/TrustedOrigins"
import * as changes from "@clicks/core/access/trustedOriginChanges"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { noticeIgnoredFields } from "../requests/ignoredFields.ts"
import { jsonObject } from "../requests/jsonBody.ts"
import { BadRequest, Conflict, type InternalFailure, NotFound } from "../responses/errors.ts"
import { orInternalFailure } from "../responses/orInternalFailure.ts"
import { NewTrustedOrigin, TrustedOriginChange } from "./TrustedOriginsApi.ts"

const answerOf = (entry: TrustedOrigin) =>
  OriginTrust.useSync(({ effectOf }) => ({ ...entry, effect: effectOf(entry.kind) }))

type ChangeError = InvalidTrustedOrigin | RepeatedTrustedOrigin | TrustedOriginsError

const toAnswer =
  (failure: string) =>
  (error: ChangeError): Effect.Effect<never, BadRequest | Conflict | InternalFailure> => {
    switch (error._tag) {
      case "InvalidTrustedOrigin":
        return Effect.fail(new BadRequest({ error: error.message }))
      case "RepeatedTrustedOrigin":
        return Effect.fail(new Conflict({ error: error.message }))
      case "TrustedOriginsError":
        return orInternalFailure(failure)(Effect.fail(error))
    }
  }

const orNotFound =
  (id: string) =>
  <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
    Option.match(found, {
      onNone: () => Effect.fail(new NotFound({ error: `There is no trusted origin ${id}` })),
      onSome: Effect.succeed
    })

/** GET /api/admin/trusted-origins */
export const listTrustedOrigins = Effect.gen(function* () {
  const origins = yield* TrustedOrigins
  const entries = yield* origins.list.pipe(orInternalFailure("Failed to fetch the trusted origins"))
  return { trusted_origins: yield* Effect.forEach(entries, answerOf), total: entries.length }
})

/** POST /api/admin/trusted-origins */
export const addTrustedOrigin = Effect.fn("addTrustedOrigin")(function* (
  request: HttpServerRequest.HttpServerRequest
) {
  const fields = yield* jsonObject(request)
  yield* noticeIgnoredFields(NewTrustedOrigin, fields)
  const entry = yield* Effect.catch(changes.add(fields), toAnswer("Failed to add the trusted origin"))
  return yield* answerOf(entry)
})

/** PUT /api/admin/trusted-origins/{id} */
export const updateTrustedOrigin = Effect.fn("updateTrustedOrigin")(function* (
  id: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const fields = yield* jsonObject(request)
  yield* noticeIgnoredFields(TrustedOriginChange, fields)
  const found = yield* Effect.catch(
    changes.update(id, fields),
    toAnswer("Failed to change the trusted origin")
  )
  return yield* answerOf(yield* orNotFound(id)(found))
})

/** DELETE /api/admin/trusted-origins/{id} */
export const removeTrustedOrigin = Effect.fn("removeTrustedOrigin")(function* (id: string) {
  const found = yield* Effect.catch(changes.remove(id), toAnswer("Failed to remove the trusted origin"))
  yield* orNotFound(id)(found)
})
