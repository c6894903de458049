import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import { fit, table } from "../../src/terminal/Table.ts"

const columns = [
  { title: "id", cell: (row: ReadonlyArray<string>) => row[0] ?? "", isWhole: true },
  { title: "name", cell: (row: ReadonlyArray<string>) => row[1] ?? "" },
  { title: "place", cell: (row: ReadonlyArray<string>) => row[2] ?? "" }
]

describe("a table", () => {
  it("is as wide as its cells, but no wider than the terminal", () => {
    const rows = [
      ["1234567890", "short", "名前名前名前名前"],
      ["2", "a long name that goes on", "here"]
    ]
    assert.strictEqual(
      table(columns, rows, 80),
      [
        "id          name                      place",
        "1234567890  short                     名前名前名前名前",
        "2           a long name that goes on  here"
      ].join("\n")
    )
    const narrow = table(columns, rows, 40).split("\n")
    assert.isTrue(narrow.every((line) => stringWidth(line) <= 40))
    assert.match(narrow[1] ?? "", /^1234567890 .*…$/)
  })

  it("truncates between grapheme clusters, never inside one", () => {
    assert.strictEqual(fit("名前", 4), "名前")
    assert.strictEqual(fit("名前", 3), "名…")
    assert.strictEqual(fit("👩‍👩‍👧👩‍👩‍👧", 3), "👩‍👩‍👧…")
  })
})
