import { Effect, Schema } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import { randomBytes, sha256 } from "../values/WebCrypto.ts"
import { Role } from "./Caller.ts"

/** An API key without its secret, which is shown once and never stored. */
export const ApiKey = Schema.Struct({
  id: Schema.String.annotate({ description: "UUID, by which the key is revoked", format: "uuid" }),
  user_id: Schema.String.annotate({
    description: "User that the key belongs to; stored as user_id of clicks sent with it"
  }),
  role: Role,
  name: Schema.NullOr(Schema.String),
  created_at: Schema.DateFromString,
  last_used_at: Schema.NullOr(Schema.DateFromString),
  revoked_at: Schema.NullOr(Schema.DateFromString)
}).annotate({ identifier: "ApiKey" })
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The prefix of every key. It distinguishes keys from other tokens and lets secret scanners find them. */
export const prefix = "clk_"

/** A new secret: the prefix and 256 random bits in base64url (47 characters). */
export const generateSecret = Effect.sync(() => prefix + Base64Url.encode(randomBytes(32)))

/**
 * The stored form of a secret: its SHA-256 in hexadecimal. A slow hash would add nothing: 256 random bits cannot be guessed.
 */
export const hashSecret = (secret: string): Effect.Effect<string> =>
  Effect.promise(async () => Hex.encode(await sha256(secret)))
