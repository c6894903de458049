import { Schema } from "effect"
import { type SettingName, settingTexts } from "./settingTexts.ts"

/** A setting has an invalid value. `message` contains the value unless it may be secret. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  name: Schema.String,
  message: Schema.String
}) {}

// URLs with a password or a token, and a database URL in the wrong variable.
const mayHoldSecret = /[@?]|postgres/i

const longestShown = 60

const shown = (value: string): string =>
  value.length > longestShown ? `${value.slice(0, longestShown)}…` : value

const make = (name: SettingName, what: string) =>
  new InvalidSetting({ name, message: `Invalid ${what}. Expected ${settingTexts[name]}` })

/** For a secret: its value is never shown. */
export const ofSecret = (name: SettingName): InvalidSetting => make(name, name)

/** For any other setting. */
export const of = (name: SettingName, value: string): InvalidSetting =>
  mayHoldSecret.test(value) ? ofSecret(name) : make(name, `${name} "${shown(value)}"`)
