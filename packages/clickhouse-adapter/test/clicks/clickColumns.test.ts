import { fieldNames } from "@clicks/core/clicks/ClickEvent"
import { assert, it } from "@effect/vitest"
import { toClick } from "../../src/clicks/clickColumns.ts"

it("makes clicks with their fields in order, so that an export is the same before and after a move", () => {
  assert.deepStrictEqual(Object.keys(toClick([])), [...fieldNames])
})
