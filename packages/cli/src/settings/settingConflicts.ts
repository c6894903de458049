import { excessiveTrust } from "@clicks/http/access/ClientAddress"
import { Option } from "effect"
import { InvalidSetting } from "./InvalidSetting.ts"
import type { SettingValues } from "./readSettings.ts"
import type { SettingName } from "./settingTexts.ts"

const conflict = (name: SettingName, message: string) => new InvalidSetting({ name, message })

/** The first conflict between settings that are each valid. */
export const settingConflict = (settings: SettingValues): InvalidSetting | undefined => {
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
  const excess = excessiveTrust(settings.trustedProxies)
  if (excess !== undefined && !settings.trustAnyProxy) {
    return conflict(
      "CLICKS_TRUSTED_PROXIES",
      `CLICKS_TRUSTED_PROXIES contains ${excess}, so clients could forge their address. List your proxies, or set CLICKS_TRUST_ANY_PROXY=true if only they can connect`
    )
  }
  return undefined
}
