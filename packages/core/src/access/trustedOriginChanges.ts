import { Effect, Option } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import type { PortError } from "../values/PortError.ts"
import { OriginTrust } from "./OriginTrust.ts"
import { parse, type TrustedOrigin } from "./TrustedOrigin.ts"
import { type RepeatedTrustedOrigin, TrustedOrigins } from "./TrustedOrigins.ts"

type Fields = Readonly<Record<string, unknown>>
type Changes = OriginTrust | TrustedOrigins

// Also when the change failed: it may have been made all the same.
const thenForget = Effect.ensuring(OriginTrust.use((trust) => trust.forget))

/** Adds an entry from fields as somebody typed them. It counts at once in this process. */
export const add: (
  fields: Fields
) => Effect.Effect<TrustedOrigin, InvalidInput | RepeatedTrustedOrigin | PortError, Changes> = Effect.fn(
  "trustedOrigins.add"
)(function* (fields) {
  const parsed = yield* Effect.fromResult(parse(fields))
  const origins = yield* TrustedOrigins
  return yield* thenForget(origins.add(parsed))
})

/**
 * Changes the fields that are given of an entry; none when there is no entry with this id. It counts at once in this
 * process.
 */
export const update: (
  id: string,
  fields: Fields
) => Effect.Effect<Option.Option<TrustedOrigin>, InvalidInput | RepeatedTrustedOrigin | PortError, Changes> =
  Effect.fn("trustedOrigins.update")(function* (id, fields) {
    const origins = yield* TrustedOrigins
    const entry = (yield* origins.list).find((entry) => entry.id === id.toLowerCase())
    if (entry === undefined) return Option.none()
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    // Only a new value has to be allowed again, not what is said about an old one.
    const allow_everyone = given["value"] === undefined || given["value"] === entry.value
    const parsed = yield* Effect.fromResult(parse({ ...entry, allow_everyone, ...given }))
    return yield* thenForget(origins.update(entry.id, parsed))
  })

/** Takes an entry away and returns it; none when there is no entry with this id. It counts at once in this process. */
export const remove: (id: string) => Effect.Effect<Option.Option<TrustedOrigin>, PortError, Changes> =
  Effect.fn("trustedOrigins.remove")(function* (id) {
    const origins = yield* TrustedOrigins
    return yield* thenForget(origins.remove(id))
  })
