import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { settingTexts } from "../../src/settings/settingTexts.ts"
import { bare, folderLayer } from "../clicks.ts"

const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8")

describe("the settings", () => {
  it("are all in the README's table", () => {
    const [, section = ""] = readme.split("## Settings\n")
    const rows = (section.split("\n## ")[0] ?? "").match(/^\| `[^|]*/gm) ?? []
    const names = rows.flatMap((row) => Array.from(row.matchAll(/`([A-Z_]+)`/g), ([, name]) => name))
    assert.sameMembers(names, Object.keys(settingTexts))
  })

  it.live("are checked by every command, which warns of a misspelt one", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* bare(["list"], { CLICKS_DATADIR: "elsewhere" })
      assert.match(
        stderr,
        /^clicks: Ignoring the unknown setting CLICKS_DATADIR\. Did you mean CLICKS_DATA_DIR\?\nclicks: There is no database /
      )
      assert.strictEqual(code, 1)
    }).pipe(Effect.provide(folderLayer))
  )
})
