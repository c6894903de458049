import { Quarantine, quarantineParameters } from "@clicks/core/clicks/recording/Quarantine"
import { read } from "@clicks/core/values/QueryParameters"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../../openapi/declaration.ts"
import { answered, orBadRequest } from "../../responses/expectedErrors.ts"
import { QuarantineApi } from "./QuarantineApi.ts"

const list = Effect.fnUntraced(function* (limit: number) {
  const { entries, count } = yield* Quarantine.use((quarantine) =>
    Effect.all({ entries: quarantine.list(limit), count: quarantine.count })
  )
  const decoder = new TextDecoder()
  const shown = entries.map((entry) => ({ ...entry, original: decoder.decode(entry.original) }))
  return { entries: shown, total: count }
})

/** Handles the endpoints of `QuarantineApi`. */
export const layer = HttpApiBuilder.group(apiOf(QuarantineApi), "quarantine", (handlers) =>
  handlers.handle("list", ({ query }) =>
    Effect.flatMap(orBadRequest(read(query, quarantineParameters)), ({ limit }) => answered(list(limit)))
  )
)
