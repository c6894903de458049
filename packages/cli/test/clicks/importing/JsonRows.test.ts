import { assert, describe, it } from "@effect/vitest"
import { Predicate, Result, Schema } from "effect"
import { mutated, mutations } from "../../../../core/test/clicks/malformedJson.ts"
import { maxRowBytes, readRow } from "../../../src/clicks/importing/InputRow.ts"
import { jsonArrayFormat } from "../../../src/clicks/importing/JsonRows.ts"
import { inShort, readRows } from "./readRows.ts"

describe("NDJSON rows", () => {
  it("are objects, one per line; other values are rejected one by one", () => {
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

  it("are rejected one by one if they are not UTF-8", () => {
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
  it("do not depend on layout or on how the bytes are split into chunks", () => {
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

  it("end with the array; a missing end or text after it is damage", () => {
    assert.deepStrictEqual(inShort(readRows("[]")), [])
    assert.strictEqual(readRows("[]").damage, undefined)
    const cut = readRows('[{"product_id":"p-1"},\n{"product_id":"p-')
    assert.strictEqual(cut.rows.length, 1)
    assert.strictEqual(cut.damage, "the JSON array is not closed; it ends on line 2")
    const open = readRows('[{"product_id":"p-1"},\n{"product_id":"p-2"}\n')
    assert.deepStrictEqual(
      [open.rows.length, open.damage],
      [2, "the JSON array is not closed; it ends on line 3"]
    )
    assert.match(
      readRows('[{"product_id":"p-1"}]\n\n[]').damage ?? "",
      /unexpected text after the JSON array, on line 3/
    )
  })

  it("are rejected one by one if they are too long", () => {
    const { damage, rows } = readRows(`[{"a":"${"x".repeat(2 * maxRowBytes)}"},{"product_id":"p-2"}]`, 65_536)
    assert.strictEqual(damage, undefined)
    assert.deepStrictEqual(
      rows.map(({ read }) => (typeof read === "object" ? read["product_id"] : read)),
      ["is longer than 2 MiB", "p-2"]
    )
  })

  it("do not end the import if they are nested deeply", () => {
    const { rows } = readRows(
      `[${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},{"product_id":"p-2"}]`,
      65_536
    )
    assert.strictEqual(rows.length, 2)
    assert.deepStrictEqual(rows[1]?.read, { product_id: "p-2" })
  })
})

/** The rows of an array that is read in pieces of `size` bytes; undefined if the array is damaged. */
const rowsOf = (text: string, size: number) => {
  const bytes = Buffer.from(text)
  const cutter = jsonArrayFormat.cutter()
  const rows = Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
    cutter.push(bytes.subarray(piece * size, (piece + 1) * size))
  ).flat()
  const { damage } = cutter.end()
  const read = rows.map((row) => Result.merge(readRow(jsonArrayFormat, row)))
  return damage === undefined ? read.map((row) => (typeof row === "string" ? row : { ...row })) : undefined
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

  it.prop("never throw if it is malformed", [items, mutations, sizes], ([array, changes, size]) => {
    const text = mutated(JSON.stringify(array), changes)
    const rows = rowsOf(text, size)
    assert.deepStrictEqual(rowsOf(text, text.length + 1), rows)
    const expected = expectedRows(text)
    if (expected !== undefined) assert.deepStrictEqual(rows, expected)
  })
})
