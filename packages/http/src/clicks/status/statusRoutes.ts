import { clickStatus } from "@clicks/core/clicks/recording/clickStatus"
import { isUuid } from "@clicks/core/values/Uuid"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../../openapi/declaration.ts"
import { tryLater } from "../../responses/apiResponse.ts"
import { NotFound } from "../../responses/errors.ts"
import { badRequest } from "../../responses/expectedErrors.ts"
import { StatusApi } from "./StatusApi.ts"

const unavailable = tryLater(
  "The database, its archive or the spool is unavailable, so the click may exist. Try again in 10 seconds"
)

const unknown = (id: string) =>
  new NotFound({ error: `There is no click ${id}: it is neither stored nor waiting on this machine` })

/** Handles the endpoints of `StatusApi`. */
export const layer = HttpApiBuilder.group(apiOf(StatusApi), "status", (handlers) =>
  handlers.handle(
    "status",
    Effect.fnUntraced(function* ({ params: { id } }) {
      if (!isUuid(id))
        return yield* badRequest({ message: "The id of a click is a UUID, as in its Click-Id header" })
      const found = yield* Effect.asSome(clickStatus(id.toLowerCase())).pipe(
        Effect.catchTags({
          PortError: () => Effect.succeedNone,
          SpoolError: () => Effect.succeedNone,
          ClickStoreError: () => Effect.succeedNone
        })
      )
      if (Option.isNone(found)) return unavailable
      return Option.isSome(found.value) ? found.value.value : yield* unknown(id)
    })
  )
)
