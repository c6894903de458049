import { type TrustedProxies, trustsEveryone } from "@clicks/http/access/ClientAddress"
import { Option, type Redacted } from "effect"
import { InvalidSetting } from "./InvalidSetting.ts"

interface Combined {
  readonly jwtSecret: Option.Option<Redacted.Redacted>
  readonly jwksUrl: Option.Option<string>
  readonly jwtAudience: Option.Option<string>
  readonly trustedProxies: TrustedProxies
  readonly trustAnyProxy: boolean
}

const conflict = (name: string, message: string) => Option.some(new InvalidSetting({ name, message }))

/** The first combination of settings that is refused, each of which is valid alone. */
export const settingConflict = (settings: Combined): Option.Option<InvalidSetting> => {
  if (Option.isSome(settings.jwtSecret) && Option.isSome(settings.jwksUrl)) {
    return conflict(
      "CLICKS_JWKS_URL",
      "CLICKS_JWT_SECRET and CLICKS_JWKS_URL are both set; set only the one that your issuer signs tokens with"
    )
  }
  if (Option.isSome(settings.jwksUrl) && Option.isNone(settings.jwtAudience)) {
    return conflict(
      "CLICKS_JWT_AUDIENCE",
      'CLICKS_JWKS_URL requires CLICKS_JWT_AUDIENCE, the "aud" of tokens for this service; * accepts the tokens that the issuer made for any other service, too'
    )
  }
  if (trustsEveryone(settings.trustedProxies) && !settings.trustAnyProxy) {
    return conflict(
      "CLICKS_TRUSTED_PROXIES",
      "CLICKS_TRUSTED_PROXIES contains every address, so any client could claim any address; list your proxies, or set CLICKS_TRUST_ANY_PROXY=true where only they can connect"
    )
  }
  return Option.none()
}
