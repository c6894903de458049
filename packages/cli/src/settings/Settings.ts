import { closestName } from "@clicks/http/closestName"
import { Context, Effect, Layer, Struct } from "effect"
import { type Environment, readSettings, type SettingValues } from "./readSettings.ts"
import { settingTexts } from "./settingTexts.ts"

/** The settings of this process. Only this file reads the environment. */
export class Settings extends Context.Service<
  Settings,
  SettingValues & {
    /** Warnings about variables that look like settings but are unknown. */
    readonly warnings: ReadonlyArray<string>
    /** Whether npx runs this process. */
    readonly isUnderNpx: boolean
  }
>()("@clicks/cli/Settings") {}

const prefix = "CLICKS_"

// Some settings have no prefix: CLICKS_PORT probably means PORT.
const withoutPrefix = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name)

const known = new Map(Struct.keys(settingTexts).map((name) => [withoutPrefix(name), name]))

const warningsOf = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !Object.hasOwn(settingTexts, name))
    .map((name) => {
      const suggestion = known.get(closestName(withoutPrefix(name), Array.from(known.keys())) ?? "")
      const question = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`
      return `Ignoring the unknown setting ${name}.${question}`
    })

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
      return { ...values, warnings: warningsOf(environment), isUnderNpx }
    })
  )

/** Settings from the environment of this process. */
export const layer = Layer.suspend(() => layerFrom(process.env))
