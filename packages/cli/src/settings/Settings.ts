import { closestName } from "@clicks/http/closestName"
import { Context, Effect, Layer, Struct } from "effect"
import { type Environment, readSettings, type SettingValues } from "./readSettings.ts"
import { type SettingName, settingTexts } from "./settingTexts.ts"

/** A variable that looks like a setting but is none: probably misspelt. */
interface UnknownSetting {
  readonly name: string
  /** The setting with the closest name, if one is close. */
  readonly suggestion: SettingName | undefined
}

/** The settings of this process. Only this file reads the environment. */
export class Settings extends Context.Service<
  Settings,
  SettingValues & {
    readonly unknown: ReadonlyArray<UnknownSetting>
    /** Whether npx runs this process. */
    readonly isUnderNpx: boolean
  }
>()("@clicks/cli/Settings") {}

const prefix = "CLICKS_"

// Not every setting has the prefix: CLICKS_PORT means PORT.
const withoutPrefix = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name)

const known = new Map(Struct.keys(settingTexts).map((name) => [withoutPrefix(name), name]))

const unknownIn = (environment: Environment): ReadonlyArray<UnknownSetting> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !Object.hasOwn(settingTexts, name))
    .map((name) => ({
      name,
      suggestion: known.get(closestName(withoutPrefix(name), Array.from(known.keys())) ?? "")
    }))

/** A layer that depends on the settings. */
export const withSettings = <A, E, R>(make: (settings: Settings["Service"]) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Effect.map(Settings, make))

/** Settings from the given variables. Fails with `InvalidSetting`. */
export const layerFrom = (environment: Environment) =>
  Layer.effect(
    Settings,
    Effect.gen(function* () {
      const values = yield* readSettings(environment)
      const isUnderNpx = environment["npm_command"] === "exec"
      return { ...values, unknown: unknownIn(environment), isUnderNpx }
    })
  )

/** Settings from the environment of this process. */
export const layer = Layer.suspend(() => layerFrom(process.env))

/** Warns of environment variables that look like settings but are ignored. */
export const warnOfUnknownSettings = Effect.gen(function* () {
  const { unknown } = yield* Settings
  for (const { name, suggestion } of unknown) {
    const question = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`
    yield* Effect.logWarning(`Unknown setting ${name}, ignored.${question}`)
  }
})
