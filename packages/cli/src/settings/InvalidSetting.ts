import { Schema } from "effect"
import { type SettingName, settingTexts } from "./settingTexts.ts"

/** A setting has an invalid value. `message` contains the value unless it may be secret. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  name: Schema.String,
  message: Schema.String
}) {}

const secrets: ReadonlyArray<SettingName> = ["DATABASE_URL", "CLICKS_ADMIN_KEY", "CLICKS_JWT_SECRET"]

// URLs with a password or a token, and a database URL in the wrong variable.
const mayHoldSecret = /[@?]|postgres/i

const maxShown = 60

const shown = (value: string): string => (value.length > maxShown ? `${value.slice(0, maxShown)}…` : value)

export const invalidSetting = (name: SettingName, value: string): InvalidSetting => {
  const isSecret = secrets.includes(name) || mayHoldSecret.test(value)
  const given = isSecret ? name : `${name} "${shown(value)}"`
  return new InvalidSetting({ name, message: `Invalid ${given}. Expected ${settingTexts[name]}` })
}
