import { Effect, Option } from "effect"
import { OriginTrust } from "./OriginTrust.ts"
import { parse } from "./TrustedOrigin.ts"
import { TrustedOrigins } from "./TrustedOrigins.ts"

type Fields = Readonly<Record<string, unknown>>

// Runs even after a failure, because the change may have been made.
const thenForget = Effect.ensuring(OriginTrust.use((trust) => trust.forget))

/** Adds an entry from unvalidated fields. It takes effect at once in this process. */
export const add = Effect.fn("trustedOrigins.add")(function* (fields: Fields) {
  const parsed = yield* Effect.fromResult(parse(fields))
  return yield* thenForget(TrustedOrigins.use((origins) => origins.add(parsed)))
})

/** Changes the given fields of an entry; none when there is no such entry. It takes effect at once in this process. */
export const update = Effect.fn("trustedOrigins.update")(function* (id: string, fields: Fields) {
  const origins = yield* TrustedOrigins
  const entry = (yield* origins.list).find((entry) => entry.id === id.toLowerCase())
  if (entry === undefined) return Option.none()
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  // Only a new value needs `allow_everyone` again; other fields can change without it.
  const allow_everyone = given["value"] === undefined || given["value"] === entry.value
  const parsed = yield* Effect.fromResult(parse({ ...entry, allow_everyone, ...given }))
  return yield* thenForget(origins.update(entry.id, parsed))
})

/** Removes an entry and returns it; none when there is no such entry. It takes effect at once in this process. */
export const remove = Effect.fn("trustedOrigins.remove")((id: string) =>
  thenForget(TrustedOrigins.use((origins) => origins.remove(id)))
)
