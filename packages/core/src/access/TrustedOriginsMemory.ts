import { Clock, Effect, Layer, Option } from "effect"
import * as Uuid from "../values/Uuid.ts"
import type { TrustedOrigin, TrustedOriginFields } from "./TrustedOrigin.ts"
import { RepeatedTrustedOrigin, TrustedOrigins } from "./TrustedOrigins.ts"

const make = () => {
  const entries = new Map<string, TrustedOrigin>()

  const refuseRepeated = Effect.fnUntraced(function* (id: string | undefined, value: string) {
    for (const entry of entries.values()) {
      if (entry.value === value && entry.id !== id) return yield* new RepeatedTrustedOrigin({ value })
    }
  })

  const add = Effect.fn("TrustedOrigins.add")(function* (fields: TrustedOriginFields) {
    yield* refuseRepeated(undefined, fields.value)
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    const entry: TrustedOrigin = { ...fields, id: Uuid.make(now), created_at: at, updated_at: at }
    entries.set(entry.id, entry)
    return entry
  })

  const update = Effect.fn("TrustedOrigins.update")(function* (id: string, fields: TrustedOriginFields) {
    const entry = entries.get(id)
    if (entry === undefined) return Option.none()
    yield* refuseRepeated(id, fields.value)
    const updated = { ...entry, ...fields, updated_at: new Date(yield* Clock.currentTimeMillis) }
    entries.set(id, updated)
    return Option.some(updated)
  })

  const remove = Effect.fn("TrustedOrigins.remove")((id: string) =>
    Effect.sync(() => {
      const entry = Option.fromUndefinedOr(entries.get(id))
      entries.delete(id)
      return entry
    })
  )

  return TrustedOrigins.of({
    list: Effect.sync(() => Array.from(entries.values()).reverse()),
    add,
    update,
    remove
  })
}

/** Keeps the list in this process's memory. */
export const layer: Layer.Layer<TrustedOrigins> = Layer.sync(TrustedOrigins, make)
