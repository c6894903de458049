import { fieldNames } from "@clicks/core/clicks/ClickEvent"
import * as ClickCsv from "@clicks/http/clicks/ClickCsv"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect, Result, Schema } from "effect"
import { arbitraryClick } from "../../../../core/test/contract/clicks/arbitraryClicks.ts"
import { recordCells } from "../../../src/clicks/importing/CsvRows.ts"
import { maxRowBytes } from "../../../src/clicks/importing/InputRow.ts"
import { inShort, readRows } from "./readRows.ts"

describe("CSV rows", () => {
  it.effect.prop(
    "have the cells that csv-parse finds",
    [Schema.Array(Schema.Literals(["a", "ä", " ", ",", '"', '""', ',"', '",']))],
    ([pieces]) =>
      Effect.sync(() => {
        const text = pieces.join("")
        const options = { record_delimiter: ["\n"], relax_column_count: true, relax_quotes: true }
        const [cells = [""]] = Result.getOrElse(
          Result.try(() => parse(`${text}\n`, options)),
          () => []
        )
        const { damage } = readRows(`product_id\n${text}`)
        if (damage !== undefined) return
        assert.deepStrictEqual(recordCells(Buffer.from(text), { delimiter: ",", lineEnd: "\n" }), cells)
      }),
    { arbitrary: { runs: 700 } }
  )

  it("are split at line ends outside quotes, with any delimiter", () => {
    for (const delimiter of [",", ";", "\t", "|"]) {
      const lines = [
        `product_id${delimiter}note`,
        `p-1${delimiter}"a ${delimiter} b"`,
        "",
        `p-2${delimiter}"two`,
        `lines ""quoted"""`,
        `p-3${delimiter}5" pipe`
      ]
      for (const end of ["\n", "\r\n"]) {
        assert.deepStrictEqual(inShort(readRows(lines.join(end))), [
          [2, { product_id: "p-1", note: `a ${delimiter} b` }],
          [4, { product_id: "p-2", note: `two${end}lines "quoted"` }],
          [6, { product_id: "p-3", note: '5" pipe' }]
        ])
      }
    }
  })

  it("do not depend on how the bytes are split into chunks", () => {
    const text = 'product_id,note\np-1,"ä€😀\n, ""x"""\np-2,plain\n"p-3",\n'
    const whole = inShort(readRows(text, text.length * 4))
    assert.strictEqual(whole.length, 3)
    for (let size = 1; size < 40; size++) assert.deepStrictEqual(inShort(readRows(text, size)), whole)
  })

  it("are rejected one by one if they have too many or too few cells", () => {
    assert.deepStrictEqual(inShort(readRows("product_id,note\np-1\np-2,a\np-3,a,b\np-4,d")), [
      [2, "has 1 cell, but the header has 2"],
      [3, { product_id: "p-2", note: "a" }],
      [4, "has 3 cells, but the header has 2"],
      [5, { product_id: "p-4", note: "d" }]
    ])
  })

  it("end at carriage returns if all lines do", () => {
    assert.deepStrictEqual(inShort(readRows('product_id,note\rp-1,"a\rb\nc"\r\rp-2,d')), [
      [2, { product_id: "p-1", note: "a\rb\nc" }],
      [5, { product_id: "p-2", note: "d" }]
    ])
  })

  it("may have a cell with any number of lines, which are not rows", () => {
    const note = `${"\n".repeat(1_000_000)}forged,x\n`
    const { rows } = readRows(`product_id,note\np-1,"${note}"\np-2,a\n`, 65_536)
    assert.deepStrictEqual(
      rows.map(({ line, read }) => [line, typeof read === "object" && read["note"] === note]),
      [
        [2, true],
        [1_000_004, false]
      ]
    )
  })

  it("end at a quote that is not closed, whose line is reported", () => {
    for (const size of [1, 7, 100]) {
      const read = readRows('product_id,note\np-1,a\n"p\n2","""open\np-3,b""\np-4,c\n', size)
      assert.deepStrictEqual(inShort(read), [[2, { product_id: "p-1", note: "a" }]])
      assert.match(read.damage ?? "", /^the quote on line 4 is not closed/)
    }
  })

  it("are not read after a quoted cell that ends beyond 2 MiB", () => {
    const long = "forged,x\n".repeat(maxRowBytes / 9 + 1)
    for (const size of [65_536, 10 * maxRowBytes]) {
      const read = readRows(`product_id,note\np-1,a\np-2,"${long}"\np-3,b\n`, size)
      assert.deepStrictEqual(inShort(read), [[2, { product_id: "p-1", note: "a" }]])
      assert.match(read.damage ?? "", /^the quote on line 3 is not closed/)
    }
  })

  it("are not read after a quoted cell that crosses 2 MiB, even if a chunk ends between two quotes", () => {
    const header = "product_id,note\n"
    const text = `${header}${"x".repeat(maxRowBytes - 3)},",""a"\np-3,b\n`
    for (const size of [header.length + maxRowBytes + 1, 2 * maxRowBytes]) {
      const read = readRows(text, size)
      assert.deepStrictEqual(read.rows, [])
      assert.match(read.damage ?? "", /^the quote on line 2 is not closed/)
    }
  })

  it("are rejected one by one if they are not UTF-8", () => {
    const bad = Buffer.concat([
      Buffer.from("product_id,note\np-1,a\np-2,"),
      Buffer.from([0xe9]),
      Buffer.from("\np-3,é\n")
    ])
    assert.deepStrictEqual(inShort(readRows(bad)), [
      [2, { product_id: "p-1", note: "a" }],
      [3, "is not valid UTF-8"],
      [4, { product_id: "p-3", note: "é" }]
    ])
  })

  it("are rejected one by one if they are too long, with only their beginning in memory", () => {
    const { rows } = readRows(`product_id,note\np-1,a\np-2,${"x".repeat(3 * maxRowBytes)}\np-3,b\n`, 65_536)
    assert.deepStrictEqual(
      rows.map(({ line, read }) => [line, typeof read === "object" ? read["product_id"] : read]),
      [
        [2, "p-1"],
        [3, "is longer than 2 MiB"],
        [4, "p-3"]
      ]
    )
    assert.strictEqual(rows[1]?.original.length, maxRowBytes)
  })

  it("lose the apostrophe that an export puts before formulas", () => {
    const columns = ["note", ...fieldNames.toReversed()]
    const empty = Object.fromEntries(columns.map((name) => [name, ""]))
    const cells = [["'=1+1"], ["''-x"], ["it's"], ["'quoted'"], ["' ＝1"]]
    const text = [columns, ...cells.map(([note]) => columns.map((name) => (name === "note" ? note : "")))]
    assert.deepStrictEqual(
      inShort(readRows(text.map((row) => row.join(",")).join("\n"))).map(([, row]) => row),
      ["=1+1", "'-x", "it's", "'quoted'", " ＝1"].map((note) => ({ ...empty, note }))
    )
  })

  it.effect.prop(
    "of an export equal the exported clicks",
    [
      arbitraryClick,
      Schema.Array(Schema.Literals(["'", "=", " ", "＠", "\n", "\r", "\t", ",", '"', "\ufeff", "a"]))
    ],
    ([click, pieces]) =>
      Effect.sync(() => {
        const texts = { product_id: pieces.join(""), campaign_id: `'${pieces.join("")}` }
        const [row] = readRows(ClickCsv.header + ClickCsv.row({ ...click, ...texts })).rows
        assert.deepInclude(row?.read, {
          ...texts,
          source: click.source,
          url_path: click.url_path ?? ""
        })
      }),
    { arbitrary: { runs: 300 } }
  )

  it("of other files keep every apostrophe", () => {
    const text = "product_id,note\n'=1+1,it's\n''-x,'quoted'\n'@home,' ＝1"
    assert.deepStrictEqual(inShort(readRows(text)), [
      [2, { product_id: "'=1+1", note: "it's" }],
      [3, { product_id: "''-x", note: "'quoted'" }],
      [4, { product_id: "'@home", note: "' ＝1" }]
    ])
  })
})
