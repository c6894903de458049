import { Result, Schema } from "effect"
import { instant } from "../values/Instant.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { unstorableReason } from "../values/Text.ts"
import { parseHostName } from "./HostName.ts"
import { formatIpRange, isWide, parseIpRange } from "./IpRange.ts"

/**
 * What an entry is compared with.
 *
 * - `address`: the client's address. The value is an IP address or a CIDR range.
 * - `domain`: the host of the `Origin` header. The value is a host name and matches only that.
 * - `pattern`: the same. The value is a host name after `*.`; the star matches exactly one label, as in a certificate: `*.example.com`
 *   matches `shop.example.com`, but neither `example.com` nor `a.shop.example.com`.
 */
export const TrustedOriginKind = Schema.Literals(["address", "domain", "pattern"])
export type TrustedOriginKind = typeof TrustedOriginKind.Type

/** The effect of an entry: it makes a caller a reader without a credential, or lets pages of that origin read across origins. */
export const TrustEffect = Schema.Literals(["bypass", "cors"])
export type TrustEffect = typeof TrustEffect.Type

/** An entry of the allowlist of clients that need no credential. */
export const TrustedOrigin = Schema.Struct({
  id: Schema.String.annotate({ description: "UUID", format: "uuid" }),
  kind: TrustedOriginKind,
  value: Schema.String.annotate({
    description: "Normalised: 10.0.0.1/8 becomes 10.0.0.0/8, Shop.Example. becomes shop.example",
    examples: ["10.0.0.0/8"]
  }),
  name: Schema.NullOr(Schema.String).annotate({ description: "Description", examples: ["office"] }),
  enabled: Schema.Boolean.annotate({ description: "Disabled entries have no effect" }),
  created_at: instant("Creation time"),
  updated_at: instant("Time of the last change")
}).annotate({ identifier: "TrustedOrigin" })
export interface TrustedOrigin extends Schema.Schema.Type<typeof TrustedOrigin> {}

/** The fields of an entry that a user sets. */
export type TrustedOriginFields = Pick<TrustedOrigin, "kind" | "value" | "name" | "enabled">

const isKind = Schema.is(TrustedOriginKind)

// A star on a whole top-level domain would trust anyone who can buy a name in it.
const parsePattern = (text: string): string | undefined => {
  const host = text.startsWith("*.") ? parseHostName(text.slice(2)) : undefined
  return host?.includes(".") ? `*.${host}` : undefined
}

const parseRange = (text: string): string | undefined => {
  const range = parseIpRange(text)
  return range && formatIpRange(range)
}

const values: {
  readonly [kind in TrustedOriginKind]: readonly [(text: string) => string | undefined, string]
} = {
  address: [parseRange, "an IP address or a CIDR range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32"],
  domain: [parseHostName, "a host name alone, such as shop.example.com"],
  pattern: [parsePattern, "*. and a host name of at least two labels, such as *.example.com"]
}

const parseValue = (kind: TrustedOriginKind, value: unknown): Result.Result<string, InvalidInput> => {
  const [parse, what] = values[kind]
  const parsed = typeof value === "string" ? parse(value.trim()) : undefined
  return parsed === undefined ? invalid(`value must be ${what}`) : Result.succeed(parsed)
}

const maxNameLength = 200

const parseName = (name: unknown): Result.Result<string | null, InvalidInput> => {
  if (name === undefined || name === null || name === "") return Result.succeed(null)
  return typeof name === "string" && name.length <= maxNameLength && unstorableReason(name) === undefined
    ? Result.succeed(name)
    : invalid(`name must be a text of at most ${maxNameLength} characters, or null`)
}

/**
 * Parses an entry. `kind` and `value` are required; by default, `name` is null and `enabled` is true. A range wider than /8 (IPv4) or /16
 * (public IPv6) requires `allow_everyone: true`. Fails with a message about the first invalid field.
 */
export const parse = (
  fields: Readonly<Record<string, unknown>>
): Result.Result<TrustedOriginFields, InvalidInput> =>
  Result.gen(function* () {
    const { enabled = true, kind } = fields
    if (!isKind(kind)) return yield* invalid(`kind must be one of: ${TrustedOriginKind.literals.join(", ")}`)
    const value = yield* parseValue(kind, fields["value"])
    const range = kind === "address" ? parseIpRange(value) : undefined
    if (range !== undefined && isWide(range) && fields["allow_everyone"] !== true) {
      return yield* invalid(
        `value ${value} would let almost anyone read without a credential. To allow this, set allow_everyone (--allow-everyone)`
      )
    }
    const name = yield* parseName(fields["name"])
    if (typeof enabled !== "boolean") return yield* invalid("enabled must be true or false")
    return { kind, value, name, enabled }
  })
