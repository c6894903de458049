import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"

describe("the size over the wire", () => {
  it.each([
    ["clicks.v1.js", 1_900],
    ["index.js", 1_600]
  ])("of %s is at most %i bytes, gzipped", (name, limit) => {
    const built = readFileSync(new URL(`../dist/${name}`, import.meta.url))
    assert.isAtMost(gzipSync(built, { level: 9 }).length, limit)
  })
})
