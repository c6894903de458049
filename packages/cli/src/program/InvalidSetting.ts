import { Schema } from "effect"
import { type SettingName, settingTexts } from "./settingTexts.ts"

/** A setting has a value that it does not take. The message repeats the value, unless it may be a secret. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  name: Schema.String,
  message: Schema.String
}) {}

// A web address with a user's password or a token in it, or an address of a database in the wrong place.
const mayHoldSecret = /[@?]|postgres/i

const longestShown = 60

const shown = (value: string): string =>
  value.length > longestShown ? `${value.slice(0, longestShown)}…` : value

const make = (name: SettingName, what: string) =>
  new InvalidSetting({ name, message: `${name} has ${what}; it takes ${settingTexts[name]}` })

/** For a setting that is a secret: its value is not repeated, however wrong it is. */
export const ofSecret = (name: SettingName): InvalidSetting => make(name, "a value it does not take")

/** For any other setting. */
export const of = (name: SettingName, value: string): InvalidSetting =>
  mayHoldSecret.test(value)
    ? ofSecret(name)
    : make(name, `the value "${shown(value)}", which it does not take`)
