import { parseHttpUrl } from "@clicks/core/values/HttpUrl"
import { parseTrustedProxies } from "@clicks/http/access/ClientAddress"
import { parseOwnHosts } from "@clicks/http/access/OwnHosts"
import type { CorsOrigins } from "@clicks/http/clicks/RecordingCors"
import { LogLevel, Redacted, Result } from "effect"

/** Parses the text of a setting; undefined if the text is invalid. */
export type Parse<A> = (text: string) => A | undefined

const valid =
  (isValid: (text: string) => boolean): Parse<string> =>
  (text) =>
    isValid(text) ? text : undefined

export const matching = (pattern: RegExp): Parse<string> => valid((text) => pattern.test(text))

export const oneOf =
  <const A extends string>(values: ReadonlyArray<A>): Parse<A> =>
  (text) =>
    values.find((value) => value.toLowerCase() === text.toLowerCase())

export const flag: Parse<boolean> = (text) => (text === "true" ? true : text === "false" ? false : undefined)

export const wholeNumber =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Parse<number> =>
  (text) => {
    const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  }

/** Bytes, or a size with a unit such as MB (a million) or MiB (2^20). */
export const bytes =
  (minimum: number): Parse<number> =>
  (text) => {
    const [, count, prefix = "", binary] = /^(\d+(?:\.\d+)?) ?(?:([kmgt])(i?)b|b?)$/i.exec(text.trim()) ?? []
    const exponent = " kmgt".indexOf(prefix.toLowerCase() || " ")
    const size = Math.floor(Number(count) * (binary ? 1024 : 1000) ** exponent)
    return Number.isSafeInteger(size) && size >= minimum ? size : undefined
  }

export const secret =
  (pattern: RegExp): Parse<Redacted.Redacted> =>
  (text) =>
    pattern.test(text) ? Redacted.make(text) : undefined

export const httpUrl: Parse<string> = valid((text) => parseHttpUrl(text) !== undefined)

/** A URL with `{state}` for the two letters of a state. */
export const urlTemplate: Parse<string> = valid(
  (text) => text.includes("{state}") && parseHttpUrl(text.replaceAll("{state}", "AZ")) !== undefined
)

export const networks = (text: string) => Result.getOrUndefined(parseTrustedProxies(text))

export const hosts = (text: string) => Result.getOrUndefined(parseOwnHosts(text))

// URL accepts a host with a star, but no browser sends one.
const isOrigin = (entry: string): boolean => parseHttpUrl(entry)?.origin === entry && !entry.includes("*")

export const origins: Parse<CorsOrigins> = (text) => {
  const entries = text.split(",").map((entry) => entry.trim())
  if (entries.join() === "*") return "*"
  return entries.every(isOrigin) ? entries : undefined
}

/** The same list, always as an array. */
export const frames: Parse<ReadonlyArray<string>> = (text) => {
  const given = origins(text)
  return given === "*" ? ["*"] : given
}

export const logLevel: Parse<LogLevel.LogLevel> = oneOf(LogLevel.values)

export const logFormats = ["pretty", "json", "logfmt"] as const
export type LogFormat = (typeof logFormats)[number]
