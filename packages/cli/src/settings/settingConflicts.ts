import { type TrustedProxies, widestTrusted } from "@clicks/http/access/ClientAddress"
import { Option, type Redacted } from "effect"
import { InvalidSetting } from "./InvalidSetting.ts"

interface Combined {
  readonly port: number
  readonly processPort: Option.Option<number>
  readonly jwtSecret: Option.Option<Redacted.Redacted>
  readonly jwksUrl: Option.Option<string>
  readonly jwtAudience: Option.Option<string>
  readonly trustedProxies: TrustedProxies
  readonly trustAnyProxy: boolean
}

const conflict = (name: string, message: string) => Option.some(new InvalidSetting({ name, message }))

/** Settings that are valid alone but not together: returns the first conflict. */
export const settingConflict = (settings: Combined): Option.Option<InvalidSetting> => {
  if (Option.isSome(settings.jwtSecret) && Option.isSome(settings.jwksUrl)) {
    return conflict(
      "CLICKS_JWKS_URL",
      "CLICKS_JWT_SECRET and CLICKS_JWKS_URL are both set. Keep only the one that verifies your issuer's tokens"
    )
  }
  if (Option.isSome(settings.jwksUrl) && Option.isNone(settings.jwtAudience)) {
    return conflict(
      "CLICKS_JWT_AUDIENCE",
      'CLICKS_JWKS_URL requires CLICKS_JWT_AUDIENCE. Set it to the "aud" claim of tokens for this service; * also accepts tokens issued for other services'
    )
  }
  if (settings.port !== 0 && Option.contains(settings.processPort, settings.port)) {
    return conflict(
      "CLICKS_PROCESS_PORT",
      `PORT and CLICKS_PROCESS_PORT are both ${settings.port}. Use two different ports`
    )
  }
  const wide = widestTrusted(settings.trustedProxies)
  if (wide !== undefined && !settings.trustAnyProxy) {
    return conflict(
      "CLICKS_TRUSTED_PROXIES",
      `CLICKS_TRUSTED_PROXIES contains ${wide}, a range wider than /8 (IPv4) or /16 (IPv6), so clients could forge their address. List your proxies, or set CLICKS_TRUST_ANY_PROXY=true if only they can connect`
    )
  }
  return Option.none()
}
