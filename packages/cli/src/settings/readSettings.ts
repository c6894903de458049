import { Effect, Option } from "effect"
import { locateDataDir } from "./dataDir.ts"
import { invalidSetting } from "./InvalidSetting.ts"
import type { SettingName } from "./settingTexts.ts"
import * as Value from "./settingValues.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads one variable. An empty one counts as unset. */
const readFrom = (environment: Environment) => {
  const optional = <A>(name: SettingName, parse: Value.Parse<A>) => {
    const text = environment[name] ?? ""
    if (text === "") return Effect.succeedNone
    const value = parse(text)
    return value === undefined ? Effect.fail(invalidSetting(name, text)) : Effect.succeedSome(value)
  }
  const withDefault = <A>(name: SettingName, parse: Value.Parse<A>, fallback: A) =>
    Effect.map(
      optional(name, parse),
      Option.getOrElse(() => fallback)
    )
  return { optional, withDefault }
}

// A day without the database at 20 clicks a second takes some 700 MB.
const defaultSpoolBytes = 1024 ** 3

const port = Value.wholeNumber(0, 65535)
const claim = Value.matching(/^\S+$/)

/** Reads all settings. Fails with `InvalidSetting` on the first invalid one. */
export const readSettings = Effect.fnUntraced(function* (environment: Environment) {
  const { optional, withDefault } = readFrom(environment)
  return {
    port: yield* withDefault("PORT", port, 3000),
    /** A second port, which this process never shares. */
    processPort: yield* optional("CLICKS_PROCESS_PORT", port),
    host: yield* withDefault("HOST", Value.matching(/^[^\s/]+$/), "127.0.0.1"),
    /** None: the embedded database of `dataDir`. */
    databaseUrl: yield* optional("DATABASE_URL", Value.secret(/^postgres(ql)?:\/\/\S+$/)),
    /** Absolute path. */
    dataDir: locateDataDir(environment["CLICKS_DATA_DIR"] || undefined),
    /** Disk space for the spool. */
    spoolMaxBytes: yield* withDefault("CLICKS_SPOOL_MAX_BYTES", Value.bytes(1024 ** 2), defaultSpoolBytes),
    /** None: clicks are kept forever. */
    retentionDays: yield* optional("CLICKS_RETENTION_DAYS", Value.wholeNumber(1, 36_500)),
    maxConnections: yield* withDefault("CLICKS_MAX_CONNECTIONS", Value.wholeNumber(1, 1_000_000), 2_000),
    plainConnections: yield* withDefault("CLICKS_PLAIN_CONNECTIONS", Value.flag, true),
    maxConcurrentTasks: yield* withDefault(
      "MAX_CONCURRENT_TASKS",
      Value.wholeNumber(1, Number.MAX_SAFE_INTEGER),
      5
    ),
    adminKey: yield* optional("CLICKS_ADMIN_KEY", Value.secret(/^[\x21-\x7e]{16,}$/)),
    jwtSecret: yield* optional("CLICKS_JWT_SECRET", Value.secret(/^.{32,}$/s)),
    jwksUrl: yield* optional("CLICKS_JWKS_URL", Value.httpUrl),
    /** `*` accepts any. */
    jwtAudience: yield* optional("CLICKS_JWT_AUDIENCE", claim),
    jwtIssuer: yield* optional("CLICKS_JWT_ISSUER", claim),
    /** None: `localhost` and the listening address. */
    hosts: yield* optional("CLICKS_HOSTS", Value.hosts),
    trustedProxies: yield* withDefault("CLICKS_TRUSTED_PROXIES", Value.networks, []),
    trustAnyProxy: yield* withDefault("CLICKS_TRUST_ANY_PROXY", Value.flag, false),
    trustOriginHeader: yield* withDefault("CLICKS_TRUST_ORIGIN_HEADER", Value.flag, false),
    corsOrigins: yield* withDefault("CLICKS_CORS_ORIGINS", Value.origins, "*"),
    metricsPublic: yield* withDefault("CLICKS_METRICS_PUBLIC", Value.flag, false),
    discoveryUrl: yield* optional("CLICKS_DISCOVERY_URL", Value.urlTemplate),
    /** Whether menus may be fetched from this machine and from private networks. */
    crawlAllowPrivate: yield* withDefault("CLICKS_CRAWL_ALLOW_PRIVATE", Value.flag, false),
    logLevel: yield* optional("LOG_LEVEL", Value.logLevel),
    logFormat: yield* optional("LOG_FORMAT", Value.oneOf(Value.logFormats))
  }
})

export type SettingValues = Effect.Success<ReturnType<typeof readSettings>>
