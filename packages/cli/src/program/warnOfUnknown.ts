import { Effect } from "effect"
import { Settings, type UnknownSetting } from "../Settings.ts"

const described = ({ meant, name }: UnknownSetting): string =>
  meant === undefined ? name : `${name} (${meant} is meant, perhaps)`

/** Warns of variables that are ignored though they look like settings. */
export const warnOfUnknown = Effect.gen(function* () {
  const { unknown } = yield* Settings
  if (unknown.length === 0) return
  const names = unknown.map(described).join(", ")
  yield* Effect.logWarning(`There is no setting ${names}; it has no effect. "clicks start --help" lists them`)
})
