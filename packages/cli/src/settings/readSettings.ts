import { excessiveTrust } from "@clicks/http/access/ClientAddress"
import { Effect, Schema } from "effect"
import { locateDataDir } from "./dataDir.ts"
import { type SettingName, settingTexts } from "./settingTexts.ts"
import * as Value from "./settingValues.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting has an invalid value, or contradicts another. `message` contains the value unless it may be secret. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  message: Schema.String
}) {}

const secrets: ReadonlyArray<SettingName> = [
  "DATABASE_URL",
  "CLICKHOUSE_URL",
  "CLICKS_ADMIN_KEY",
  "CLICKS_JWT_SECRET"
]

// Matches URLs with a password or a token, and database URLs in the wrong variable.
const mayHoldSecret = /[@?]|postgres/i

const maxShown = 60

const invalidSetting = (name: SettingName, value: string): InvalidSetting => {
  const shown = value.length > maxShown ? `${value.slice(0, maxShown)}…` : value
  const given = secrets.includes(name) || mayHoldSecret.test(value) ? name : `${name} "${shown}"`
  return new InvalidSetting({ message: `Invalid ${given}. Expected ${settingTexts[name]}` })
}

/** Reads one variable. An empty one counts as unset. */
const readFrom = (environment: Environment) => {
  const optional = <A>(name: SettingName, parse: Value.Parse<A>) => {
    const text = environment[name] ?? ""
    const value = text === "" ? undefined : parse(text)
    return text !== "" && value === undefined
      ? Effect.fail(invalidSetting(name, text))
      : Effect.succeed(value)
  }
  const withDefault = <A>(name: SettingName, parse: Value.Parse<A>, fallback: A) =>
    Effect.map(optional(name, parse), (value) => value ?? fallback)
  return { optional, withDefault }
}

// Spooling 20 clicks a second for a day takes some 700 MB.
const defaultSpoolBytes = 1024 ** 3

const port = Value.wholeNumber(0, 65535)
const claim = Value.matching(/^\S+$/)

const readEach = Effect.fnUntraced(function* (environment: Environment) {
  const { optional, withDefault } = readFrom(environment)
  return {
    port: yield* withDefault("PORT", port, 3000),
    /** A second port, which this process never shares. */
    processPort: yield* optional("CLICKS_PROCESS_PORT", port),
    host: yield* withDefault("HOST", Value.matching(/^[^\s/]+$/), "127.0.0.1"),
    /** Undefined: the embedded database of `dataDir`. */
    databaseUrl: yield* optional("DATABASE_URL", Value.secret(/^postgres(ql)?:\/\/\S+$/)),
    /** Undefined: all clicks stay in the database. */
    clickhouseUrl: yield* optional("CLICKHOUSE_URL", Value.secret(/^https?:\/\/[^\s/]+(\/\w*)?$/)),
    /** Undefined: one server. */
    clickhouseCluster: yield* optional("CLICKHOUSE_CLUSTER", Value.matching(/^\w+$/)),
    /** Absolute path. */
    dataDir: locateDataDir(environment["CLICKS_DATA_DIR"] || undefined),
    /** Disk space for the spool. */
    spoolMaxBytes: yield* withDefault("CLICKS_SPOOL_MAX_BYTES", Value.bytes(1024 ** 2), defaultSpoolBytes),
    /** Undefined: clicks are kept forever. */
    retentionDays: yield* optional("CLICKS_RETENTION_DAYS", Value.wholeNumber(1, 36_500)),
    maxConnections: yield* withDefault("CLICKS_MAX_CONNECTIONS", Value.wholeNumber(1, 1_000_000), 2_000),
    plainConnections: yield* withDefault("CLICKS_PLAIN_CONNECTIONS", Value.flag, true),
    maxConcurrentTasks: yield* withDefault("MAX_CONCURRENT_TASKS", Value.wholeNumber(1), 5),
    adminKey: yield* optional("CLICKS_ADMIN_KEY", Value.secret(/^[\x21-\x7e]{16,}$/)),
    jwtSecret: yield* optional("CLICKS_JWT_SECRET", Value.secret(/^.{32,}$/s)),
    jwksUrl: yield* optional("CLICKS_JWKS_URL", Value.httpUrl),
    /** `*` accepts any. */
    jwtAudience: yield* optional("CLICKS_JWT_AUDIENCE", claim),
    jwtIssuer: yield* optional("CLICKS_JWT_ISSUER", claim),
    /** Undefined: `localhost` and the listening address. */
    hosts: yield* optional("CLICKS_HOSTS", Value.hosts),
    trustedProxies: yield* withDefault("CLICKS_TRUSTED_PROXIES", Value.networks, []),
    trustAnyProxy: yield* withDefault("CLICKS_TRUST_ANY_PROXY", Value.flag, false),
    trustOriginHeader: yield* withDefault("CLICKS_TRUST_ORIGIN_HEADER", Value.flag, false),
    /** Origins whose pages may show share links in a frame. */
    shareFrames: yield* optional("CLICKS_SHARE_FRAMES", Value.frames),
    corsOrigins: yield* withDefault("CLICKS_CORS_ORIGINS", Value.origins, "*"),
    publicMetrics: yield* withDefault("CLICKS_METRICS_PUBLIC", Value.flag, false),
    discoveryUrl: yield* optional("CLICKS_DISCOVERY_URL", Value.urlTemplate),
    /** Whether menus may be fetched from this machine and from private networks. */
    crawlAllowPrivate: yield* withDefault("CLICKS_CRAWL_ALLOW_PRIVATE", Value.flag, false),
    logLevel: yield* optional("LOG_LEVEL", Value.logLevel),
    logFormat: yield* optional("LOG_FORMAT", Value.oneOf(Value.logFormats))
  }
})

export type SettingValues = Effect.Success<ReturnType<typeof readEach>>

/** The first conflict between settings that are each valid. */
const conflictIn = (settings: SettingValues): string | undefined => {
  const { jwksUrl, jwtAudience, jwtSecret, port, processPort, trustAnyProxy, trustedProxies } = settings
  if (settings.clickhouseCluster !== undefined && settings.clickhouseUrl === undefined)
    return "CLICKHOUSE_CLUSTER requires CLICKHOUSE_URL. Set it to the URL of a server of the cluster"
  if (jwtSecret !== undefined && jwksUrl !== undefined)
    return "CLICKS_JWT_SECRET and CLICKS_JWKS_URL are both set. Keep only the one that verifies your issuer's tokens"
  if (jwksUrl !== undefined && jwtAudience === undefined)
    return 'CLICKS_JWKS_URL requires CLICKS_JWT_AUDIENCE. Set it to the "aud" claim of tokens for this service; * also accepts tokens issued for other services'
  if (port !== 0 && port === processPort)
    return `PORT and CLICKS_PROCESS_PORT are both ${port}. Use two different ports`
  const excess = trustAnyProxy ? undefined : excessiveTrust(trustedProxies)
  return (
    excess &&
    `CLICKS_TRUSTED_PROXIES contains ${excess}, so clients could forge their address. List your proxies, or set CLICKS_TRUST_ANY_PROXY=true if only they can connect`
  )
}

/** Reads all settings. Fails with `InvalidSetting` on the first invalid one or the first conflict. */
export const readSettings = Effect.fnUntraced(function* (environment: Environment) {
  const settings = yield* readEach(environment)
  const message = conflictIn(settings)
  return message === undefined ? settings : yield* new InvalidSetting({ message })
})
