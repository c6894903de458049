import type { TrustedOrigin, TrustedOriginFields } from "@clicks/core/access/TrustedOrigin"
import { RepeatedTrustedOrigin, TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as Uuid from "@clicks/core/values/Uuid"
import { Clock, Effect, Layer, Option } from "effect"

const make = () => {
  const entries = new Map<string, TrustedOrigin>()

  const save = Effect.fnUntraced(function* (fields: TrustedOriginFields, existing?: TrustedOrigin) {
    const now = yield* Clock.currentTimeMillis
    const { value } = fields
    const { created_at = new Date(now), id = Uuid.make(now) } = existing ?? {}
    const isRepeated = Array.from(entries.values()).some((entry) => entry.value === value && entry.id !== id)
    if (isRepeated) return yield* new RepeatedTrustedOrigin({ value })
    const entry: TrustedOrigin = { ...fields, id, created_at, updated_at: new Date(now) }
    entries.set(id, entry)
    return entry
  })

  return TrustedOrigins.of({
    list: Effect.sync(() => Array.from(entries.values()).reverse()),
    add: (fields) => save(fields),
    update: (id, fields) => {
      const entry = entries.get(id)
      return entry === undefined ? Effect.succeedNone : Effect.asSome(save(fields, entry))
    },
    remove: (id) =>
      Effect.sync(() => {
        const entry = Option.fromUndefinedOr(entries.get(id))
        entries.delete(id)
        return entry
      })
  })
}

/** Keeps the list in this process's memory. */
export const layer: Layer.Layer<TrustedOrigins> = Layer.sync(TrustedOrigins, make)
