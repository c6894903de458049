import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { spooledClick } from "../../core/test/contract/clicks/spooledClicks.ts"
import * as DatabaseProxy from "../../sql-adapter/test/DatabaseProxy.ts"
import { stage } from "./clicks/storedClicks.ts"
import { clicks, type Environment, Folder, onTestDatabase } from "./clicks.ts"
import { commandLine, hasTerminals, type Terminal, typing } from "./terminal.ts"

const insert = (product_id: string, source = "web") => {
  const { event } = spooledClick({ product_id, source, action: "view", campaign_id: "spring-sale" })
  return ClickStore.use((store) => store.insert([{ ...event, id: Uuid.make(Date.now()) }]))
}

/** Starts `clicks top` in a terminal of 80 × 24. At the end, the terminal's line mode and the exit code are printed. */
const watching = (env: Environment) =>
  typing(
    `tty > tty.txt; stty cols 80 rows 24; ${commandLine(["top", "--source", "web"])}; code=$?; stty -a | grep -o -- '-*icanon'; echo "code $code"`,
    env
  )

const shows = (terminal: Terminal, text: RegExp, keys = "") => Effect.promise(() => terminal.type(keys, text))

/** The lines of the last complete screen. */
const lastScreen = ({ raw }: Terminal): ReadonlyArray<string> =>
  stripVTControlCharacters(raw.split("\u001b[H").at(-2) ?? "").split(/\r*\n/)

const fits = (terminal: Terminal, columns: number, rows: number) => {
  const lines = lastScreen(terminal)
  assert.isAtMost(lines.length, rows)
  assert.isAtMost(Math.max(...lines.map((line) => line.length)), columns)
}

describe("clicks top", () => {
  it.live.skipIf(!hasTerminals)(
    "shows new clicks, resizes, survives an outage, and restores the terminal at q",
    () =>
      Effect.gen(function* () {
        const proxy = yield* DatabaseProxy.DatabaseProxy
        const { path } = yield* Folder
        const env = { ...(yield* onTestDatabase), DATABASE_URL: Redacted.value(proxy.url) }
        const terminal = yield* watching(env)
        yield* shows(terminal, /Spool: empty {2}Tasks: 0 running, 0 ready, 0 scheduled, 0 failed/)
        yield* insert("p-1\u001b[31m")
        yield* insert("p-2", "app")
        yield* shows(
          terminal,
          /1 since [\s\S]*view 100\.0%[\s\S]*p-1␛\[31m +1 +100\.0%[\s\S]*spring-sale +1 [\s\S]*view +p-1␛/
        )
        fits(terminal, 80, 24)
        assert.notInclude(terminal.raw, "p-2")
        const tty = readFileSync(join(path, "tty.txt"), "utf8").trim()
        spawnSync("stty", ["-F", tty, "cols", "120", "rows", "40"])
        yield* shows(terminal, /campaign_id {40,}/)
        yield* proxy.stop
        yield* shows(terminal, /Lost connection to the database; waiting/)
        yield* insert("p-3")
        yield* proxy.start
        yield* shows(terminal, /q quits[\s\S]*2 since [\s\S]*p-3 +1 +50\.0%/)
        fits(terminal, 120, 40)
        yield* shows(terminal, /(?<!-)icanon\r\ncode 0/, "q")
        assert.include(terminal.raw, "\u001b[?25h\u001b[?1049l")
      }).pipe(Effect.provide(DatabaseProxy.layer.pipe(Layer.provideMerge(stage))))
  )

  it.live.skipIf(!hasTerminals)("shows no colours with NO_COLOR, and ends at Ctrl-C", () =>
    Effect.gen(function* () {
      const terminal = yield* watching({ ...(yield* onTestDatabase), NO_COLOR: "1" })
      yield* shows(terminal, /Spool: empty/)
      yield* shows(terminal, /(?<!-)icanon\r\ncode 0/, "\u0003")
      assert.notInclude(terminal.raw, "\u001b[1m")
    }).pipe(Effect.provide(stage))
  )

  it.live("rejects an output that is not a terminal", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* clicks(["top"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^clicks: The output of "clicks top" must be a terminal.*clicks tail/)
    }).pipe(Effect.provide(stage))
  )
})
