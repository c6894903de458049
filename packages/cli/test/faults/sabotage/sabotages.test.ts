import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { sabotages } from "./sabotages.ts"

const packages = fileURLToPath(new URL("../../../../", import.meta.url))

// Sabotaged services only start in `npm run test:faults`, so a changed source would go unnoticed until then.
describe("a sabotage", () => {
  for (const [name, { file, find, replace }] of Object.entries(sabotages)) {
    it(`replaces one place in the source: ${name}`, () => {
      const [, packageName, inPackage] = /^\/([^/]+)\/(.+)$/.exec(file) ?? []
      const source = readFileSync(`${packages}${packageName}/${inPackage}`, "utf8")
      assert.lengthOf(source.split(find), 2, `${file} has to contain exactly once: ${find}`)
      assert.notStrictEqual(replace, find)
    })
  }
})
