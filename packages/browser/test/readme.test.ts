import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const examples = ["page-types.ts", "react-shop.tsx"].map((name) => read(`../../../examples/src/${name}`))

describe("the README", () => {
  it("shows code of the examples, which are compiled and run", () => {
    const blocks = Array.from(read("../README.md").matchAll(/```tsx?\n(.*?)```/gs), ([, code = ""]) => code)
    assert.lengthOf(blocks, examples.length)
    for (const [index, code] of blocks.entries()) assert.include(examples[index], code)
  })
})
