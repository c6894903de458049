import type { TrustedProxies } from "@clicks/http/access/ClientAddress"
import type { OwnHosts } from "@clicks/http/access/OwnHosts"
import type { CorsOrigins } from "@clicks/http/clicks/RecordingCors"
import { closestName } from "@clicks/http/closestName"
import {
  Config,
  ConfigProvider,
  Context,
  Effect,
  Layer,
  type LogLevel,
  Option,
  type Redacted,
  Struct
} from "effect"
import { locateDataDir } from "./dataDir.ts"
import * as InvalidSetting from "./InvalidSetting.ts"
import { settingConflict } from "./settingConflicts.ts"
import { type SettingName, settingTexts } from "./settingTexts.ts"
import * as Value from "./settingValues.ts"

/** A variable that looks like a setting and is none; misspelt, most likely. */
export interface UnknownSetting {
  readonly name: string
  /** The setting that it is closest to, if it is close to one. */
  readonly meant: SettingName | undefined
}

/** What the environment says. This is the only place that reads it. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly port: number
    /** A second port, which this process never shares. */
    readonly processPort: Option.Option<number>
    readonly host: string
    /** None: the embedded database of `dataDir`. */
    readonly databaseUrl: Option.Option<Redacted.Redacted>
    /** Absolute path. */
    readonly dataDir: string
    /** Space that the spool may take on disk. */
    readonly spoolMaxBytes: number
    /** None: clicks are kept for ever. */
    readonly retentionDays: Option.Option<number>
    readonly maxConnections: number
    readonly maxConcurrentTasks: number
    readonly adminKey: Option.Option<Redacted.Redacted>
    readonly jwtSecret: Option.Option<Redacted.Redacted>
    readonly jwksUrl: Option.Option<string>
    /** `*` is any. */
    readonly jwtAudience: Option.Option<string>
    readonly jwtIssuer: Option.Option<string>
    /** None: `localhost` and the listening address. */
    readonly hosts: Option.Option<OwnHosts>
    readonly trustedProxies: TrustedProxies
    readonly trustAnyProxy: boolean
    readonly trustOriginHeader: boolean
    readonly corsOrigins: CorsOrigins
    readonly metricsPublic: boolean
    readonly discoveryUrl: Option.Option<string>
    /** Whether menus may be fetched from this machine and private networks. */
    readonly crawlAllowPrivate: boolean
    readonly logLevel: Option.Option<LogLevel.LogLevel>
    readonly logFormat: Option.Option<Value.LogFormat>
    readonly unknown: ReadonlyArray<UnknownSetting>
    /** Whether npx runs this. */
    readonly isUnderNpx: boolean
  }
>()("@clicks/cli/Settings") {}

/** What a variable says; empty when there is none. */
const given = (name: SettingName) =>
  Effect.orElseSucceed(Config.withDefault(Config.String(name), ""), () => "")

/** Reads one setting; what it does not take becomes a sentence with its name and the value. */
const setting = <A>(name: SettingName, value: Value.SettingValue<A>) =>
  Effect.catch(value(name), () =>
    Effect.flatMap(given(name), (wrong) => Effect.fail(InvalidSetting.of(name, wrong)))
  )

const orNone =
  <A>(value: Value.SettingValue<A>): Value.SettingValue<Option.Option<A>> =>
  (name) =>
    Config.option(value(name))

const optional = <A>(name: SettingName, value: Value.SettingValue<A>) => setting(name, orNone(value))

/** An optional setting whose value is never shown. */
const secret = (name: SettingName, pattern: RegExp) =>
  Effect.mapError(orNone(Value.secret(pattern))(name), () => InvalidSetting.ofSecret(name))

const host = Value.withDefault(Value.matching(/^[^\s/]+$/), "127.0.0.1")
const claim = Value.matching(/^\S+$/)
const connections = Value.withDefault(Value.wholeNumber(1, 1_000_000), 2_000)
const tasks = Value.withDefault(Value.wholeNumber(1, Number.MAX_SAFE_INTEGER), 5)
// A day without the database at 20 clicks a second takes some 700 MB.
const spoolMaxBytes = Value.withDefault(Value.space(1024 ** 2), 1024 ** 3)
const dataDir = (name: string) => Config.map(Config.option(Config.String(name)), Option.getOrUndefined)

const read = Effect.gen(function* () {
  return {
    port: yield* setting("PORT", Value.withDefault(Value.wholeNumber(0, 65535), 3000)),
    processPort: yield* optional("CLICKS_PROCESS_PORT", Value.wholeNumber(0, 65535)),
    host: yield* setting("HOST", host),
    databaseUrl: yield* secret("DATABASE_URL", /^postgres(ql)?:\/\/\S+$/),
    dataDir: locateDataDir(yield* setting("CLICKS_DATA_DIR", dataDir)),
    spoolMaxBytes: yield* setting("CLICKS_SPOOL_MAX_BYTES", spoolMaxBytes),
    retentionDays: yield* optional("CLICKS_RETENTION_DAYS", Value.wholeNumber(1, 36_500)),
    maxConnections: yield* setting("CLICKS_MAX_CONNECTIONS", connections),
    maxConcurrentTasks: yield* setting("MAX_CONCURRENT_TASKS", tasks),
    adminKey: yield* secret("CLICKS_ADMIN_KEY", /^[\x21-\x7e]{16,}$/),
    jwtSecret: yield* secret("CLICKS_JWT_SECRET", /^.{32,}$/s),
    jwksUrl: yield* optional("CLICKS_JWKS_URL", Value.webAddress),
    jwtAudience: yield* optional("CLICKS_JWT_AUDIENCE", claim),
    jwtIssuer: yield* optional("CLICKS_JWT_ISSUER", claim),
    hosts: yield* optional("CLICKS_HOSTS", Value.hosts),
    trustedProxies: yield* setting("CLICKS_TRUSTED_PROXIES", Value.withDefault(Value.networks, [])),
    trustAnyProxy: yield* setting("CLICKS_TRUST_ANY_PROXY", Value.flag),
    trustOriginHeader: yield* setting("CLICKS_TRUST_ORIGIN_HEADER", Value.flag),
    corsOrigins: yield* setting("CLICKS_CORS_ORIGINS", Value.withDefault(Value.origins, "*")),
    metricsPublic: yield* setting("CLICKS_METRICS_PUBLIC", Value.flag),
    discoveryUrl: yield* optional("CLICKS_DISCOVERY_URL", Value.webTemplate),
    crawlAllowPrivate: yield* setting("CLICKS_CRAWL_ALLOW_PRIVATE", Value.flag),
    logLevel: yield* optional("LOG_LEVEL", Value.logLevel),
    logFormat: yield* optional("LOG_FORMAT", Value.logFormat)
  }
})

type Environment = Readonly<Record<string, string | undefined>>

const prefix = "CLICKS_"

// Not every setting has the prefix: CLICKS_PORT means PORT.
const withoutPrefix = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name)

const known = new Map(Struct.keys(settingTexts).map((name) => [withoutPrefix(name), name]))

const unknownIn = (environment: Environment): ReadonlyArray<UnknownSetting> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !Object.hasOwn(settingTexts, name))
    .map((name) => ({
      name,
      meant: known.get(closestName(withoutPrefix(name), Array.from(known.keys())) ?? "")
    }))

/** Settings from given variables. */
export const layerFrom = (environment: Environment) =>
  Layer.effect(
    Settings,
    Effect.map(read, (settings) => ({
      ...settings,
      unknown: unknownIn(environment),
      isUnderNpx: environment["npm_command"] === "exec"
    })).pipe(
      Effect.tap((settings) =>
        Option.match(settingConflict(settings), { onNone: () => Effect.void, onSome: Effect.fail })
      )
    )
  ).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...environment }))))

/** Settings from the environment of this process. */
export const layer = Layer.suspend(() => layerFrom(process.env))

const described = ({ meant, name }: UnknownSetting): string =>
  `Unknown setting ${name}, ignored.${meant === undefined ? "" : ` Did you mean ${meant}?`}`

/** Warns of environment variables that look like settings and are ignored. */
export const warnOfUnknownSettings = Effect.gen(function* () {
  const { unknown } = yield* Settings
  yield* Effect.forEach(unknown, (setting) => Effect.logWarning(described(setting)), { discard: true })
})
