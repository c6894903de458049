import { hostNameOfOrigin } from "./HostName.ts"
import { contains, parseIpAddress, parseIpRange } from "./IpRange.ts"
import type { TrustedOriginFields } from "./TrustedOrigin.ts"

/** A list of trusted origins, ready to be compared with. */
export interface OriginMatcher {
  /** Whether an enabled entry of the kind `address` names this client address. */
  readonly matchesAddress: (address: string) => boolean
  /** Whether an enabled entry of the kind `domain` or `pattern` names the host of this `Origin` header. */
  readonly matchesOrigin: (origin: string) => boolean
}

export const compile = (entries: ReadonlyArray<TrustedOriginFields>): OriginMatcher => {
  const enabled = entries.filter((entry) => entry.enabled)
  const ranges = enabled.flatMap(({ kind, value }) => (kind === "address" ? (parseIpRange(value) ?? []) : []))
  const hosts = new Set(enabled.flatMap(({ kind, value }) => (kind === "address" ? [] : value)))
  return {
    matchesAddress: (text) => {
      const address = parseIpAddress(text)
      return address !== undefined && ranges.some((range) => contains(range, address))
    },
    matchesOrigin: (origin) => {
      const host = hostNameOfOrigin(origin)
      // The star of a pattern stands for the first label.
      return host !== undefined && (hosts.has(host) || hosts.has(host.replace(/^[^.]+\./, "*.")))
    }
  }
}

/** What an empty list matches. */
export const matchesNone: OriginMatcher = { matchesAddress: () => false, matchesOrigin: () => false }
