import { assert, describe, it } from "@effect/vitest"
import { Predicate, Schema } from "effect"
import { mutated, mutations } from "../../../../core/test/clicks/malformedJson.ts"
import { maxRowBytes } from "../../../src/clicks/importing/InputRow.ts"
import { jsonArrayRows } from "../../../src/clicks/importing/JsonArrayRows.ts"
import { inShort, readRows } from "./readRows.ts"

describe("NDJSON rows", () => {
  it("are objects, a line each; what is none is rejected alone", () => {
    const rows = inShort(readRows('{"product_id":"p-1"}\r\n\n{"product_id":\n[1]\n"x"\n{"product_id":"p-2"}'))
    assert.deepStrictEqual(
      rows.map(([line, row]) => [line, typeof row === "string" ? row.slice(0, 12) : row]),
      [
        [1, { product_id: "p-1" }],
        [3, "is not JSON:"],
        [4, "is not a JSON object".slice(0, 12)],
        [5, "is not a JSON object".slice(0, 12)],
        [6, { product_id: "p-2" }]
      ]
    )
  })

  it("that are not UTF-8 are rejected alone", () => {
    const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":"é"}')])
    assert.deepStrictEqual(inShort(readRows(bad)), [
      [1, "is not valid UTF-8"],
      [2, { a: "é" }]
    ])
  })
})

describe("rows of a JSON array", () => {
  const text = `[
    {"product_id":"p-1","note":"] } \\" , ["},
    {"product_id":"p-2","deep":{"a":[1,{"b":2}]}}
    , 12, {"product_id":"p-3"}, {"broken":},
    {"product_id":"p-4"}
  ]
  `
  it("are found however they are laid out and however the bytes come", () => {
    const whole = inShort(readRows(text, text.length))
    assert.deepStrictEqual(
      whole.map(([line, row]) => [
        line,
        typeof row === "string" ? row.slice(0, 8) : Object.values(row ?? {})[0]
      ]),
      [
        [2, "p-1"],
        [3, "p-2"],
        [4, "is not a"],
        [4, "p-3"],
        [4, "is not J"],
        [5, "p-4"]
      ]
    )
    for (let size = 1; size < 40; size++) assert.deepStrictEqual(inShort(readRows(text, size)), whole)
    assert.strictEqual(readRows(text).damage, undefined)
  })

  it("end with the array; a cut or an excess is damage", () => {
    assert.deepStrictEqual(inShort(readRows("[]")), [])
    assert.strictEqual(readRows("[]").damage, undefined)
    const cut = readRows('[{"product_id":"p-1"},\n{"product_id":"p-')
    assert.strictEqual(cut.rows.length, 1)
    assert.strictEqual(cut.damage, "the JSON array is not closed; it ends on line 2")
    assert.match(
      readRows('[{"product_id":"p-1"}]\n\n[]').damage ?? "",
      /unexpected text after the JSON array, on line 3/
    )
  })

  it("that are too long are rejected alone", () => {
    const { damage, rows } = readRows(`[{"a":"${"x".repeat(2 * maxRowBytes)}"},{"product_id":"p-2"}]`, 65_536)
    assert.strictEqual(damage, undefined)
    assert.deepStrictEqual(
      rows.map((row) => (row._tag === "Readable" ? row.columns["product_id"] : row.reason)),
      ["is longer than 2 MiB", "p-2"]
    )
  })

  it("may be nested as deeply as they like without ending the import", () => {
    const { rows } = readRows(
      `[${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},{"product_id":"p-2"}]`,
      65_536
    )
    assert.strictEqual(rows.length, 2)
    assert.deepStrictEqual(rows[1]?._tag === "Readable" && rows[1].columns, { product_id: "p-2" })
  })
})

/** What an array's rows hold, read in pieces of `size` bytes; undefined when the array is damaged. */
const rowsOf = (text: string, size: number) => {
  const bytes = Buffer.from(text)
  const reader = jsonArrayRows()
  const rows = Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
    reader.push(bytes.subarray(piece * size, (piece + 1) * size))
  ).flat()
  const { damage } = reader.end()
  const held = rows.map((row) => (row._tag === "Readable" ? { ...row.columns } : row.reason))
  return damage === undefined ? held : undefined
}

const expectedRows = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return undefined
    return value.map((item) =>
      Predicate.isObject(item) && !Array.isArray(item) ? { ...item } : "is not a JSON object"
    )
  } catch {
    return undefined
  }
}

const sizes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
const items = Schema.Array(Schema.Union([Schema.Json, Schema.JsonObject]))

describe("rows of any JSON array", () => {
  it.prop("are its elements", [items, Schema.Literals(["", "\t"]), sizes], ([array, indent, size]) => {
    const text = JSON.stringify(array, null, indent)
    assert.deepStrictEqual(rowsOf(text, size), expectedRows(text))
  })

  it.prop("never throw when it is malformed", [items, mutations, sizes], ([array, changes, size]) => {
    const text = mutated(JSON.stringify(array), changes)
    const rows = rowsOf(text, size)
    assert.deepStrictEqual(rowsOf(text, text.length + 1), rows)
    const expected = expectedRows(text)
    if (expected !== undefined) assert.deepStrictEqual(rows, expected)
  })
})
