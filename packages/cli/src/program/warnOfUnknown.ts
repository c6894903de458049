import { Effect } from "effect"
import { Settings, type UnknownSetting } from "../Settings.ts"

const described = ({ meant, name }: UnknownSetting): string =>
  `Unknown setting ${name}, ignored.${meant === undefined ? "" : ` Did you mean ${meant}?`}`

/** Warns of environment variables that look like settings and are ignored. */
export const warnOfUnknown = Effect.gen(function* () {
  const { unknown } = yield* Settings
  yield* Effect.forEach(unknown, (setting) => Effect.logWarning(described(setting)), { discard: true })
})
