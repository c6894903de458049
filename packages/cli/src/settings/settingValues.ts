import { parseTrustedProxies, type TrustedProxies } from "@clicks/http/access/ClientAddress"
import { type OwnHosts, parseOwnHosts } from "@clicks/http/access/OwnHosts"
import type { CorsOrigins } from "@clicks/http/clicks/RecordingCors"
import { Config, type LogLevel, Redacted, Result, Schema } from "effect"

/** What a setting takes: its value under a name, or a failure. */
export type SettingValue<A> = (name: string) => Config.Config<A>

export const withDefault =
  <A>(value: SettingValue<A>, fallback: A): SettingValue<A> =>
  (name) =>
    Config.withDefault(value(name), fallback)

const trueOrFalse: SettingValue<boolean> = (name) =>
  Config.map(Config.schema(Schema.Literals(["true", "false"]), name), (text) => text === "true")

export const flag: SettingValue<boolean> = withDefault(trueOrFalse, false)

export const wholeNumber =
  (minimum: number, maximum: number): SettingValue<number> =>
  (name) =>
    Config.schema(Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4
}

const toBytes = (value: string): number | undefined => {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(value.trim()) ?? []
  const factor = units[unit.toLowerCase()]
  return count === undefined || factor === undefined ? undefined : Math.floor(Number(count) * factor)
}

/** An amount of space: bytes, or with a unit such as MB (a million) or MiB (2^20). */
export const space =
  (minimum: number): SettingValue<number> =>
  (name) => {
    const isTaken = (value: string) => {
      const bytes = toBytes(value)
      return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= minimum
    }
    return Config.map(text(isTaken)(name), (value) => toBytes(value) ?? minimum)
  }

const text =
  (isTaken: (value: string) => boolean): SettingValue<string> =>
  (name) =>
    Config.schema(Schema.String.check(Schema.makeFilter(isTaken)), name)

export const matching = (pattern: RegExp): SettingValue<string> => text((value) => pattern.test(value))

export const secret =
  (pattern: RegExp): SettingValue<Redacted.Redacted> =>
  (name) =>
    Config.map(matching(pattern)(name), (value) => Redacted.make(value))

const webUrl = (value: string): URL | undefined => {
  const url = URL.parse(value)
  return url !== null && ["http:", "https:"].includes(url.protocol) ? url : undefined
}

export const webAddress: SettingValue<string> = text((value) => webUrl(value) !== undefined)

/** A web address in which `{state}` stands for a state's two letters. */
export const webTemplate: SettingValue<string> = text(
  (value) => value.includes("{state}") && webUrl(value.replaceAll("{state}", "AZ")) !== undefined
)

const parsedBy =
  <A>(parse: (value: string) => Result.Result<ReadonlyArray<A>, unknown>): SettingValue<ReadonlyArray<A>> =>
  (name) =>
    Config.map(text((value) => Result.isSuccess(parse(value)))(name), (value) =>
      Result.getOrElse(parse(value), () => [])
    )

export const networks: SettingValue<TrustedProxies> = parsedBy(parseTrustedProxies)

export const hosts: SettingValue<OwnHosts> = parsedBy(parseOwnHosts)

const entriesOf = (value: string): ReadonlyArray<string> => value.split(",").map((entry) => entry.trim())

// The host of a URL may contain a star, and no browser sends one.
const isOrigin = (entry: string): boolean => webUrl(entry)?.origin === entry && !entry.includes("*")

export const origins: SettingValue<CorsOrigins> = (name) =>
  Config.map(
    text((value) => value.trim() === "*" || entriesOf(value).every(isOrigin))(name),
    (value): CorsOrigins => (value.trim() === "*" ? "*" : entriesOf(value))
  )

const logLevels = ["All", "Trace", "Debug", "Info", "Warn", "Error", "Fatal", "None"] as const

const levelOf = (value: string): LogLevel.LogLevel | undefined =>
  logLevels.find((level) => level.toLowerCase() === value.toLowerCase())

export const logLevel: SettingValue<LogLevel.LogLevel> = (name) =>
  Config.map(text((value) => levelOf(value) !== undefined)(name), (value) => levelOf(value) ?? "Info")

export type LogFormat = "pretty" | "json" | "logfmt"

export const logFormat: SettingValue<LogFormat> = (name) =>
  Config.Literals(["pretty", "json", "logfmt"], name)
