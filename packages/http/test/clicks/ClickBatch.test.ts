import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { mutated, mutations } from "../../../core/test/clicks/malformedJson.ts"
import * as ClickBatch from "../../src/clicks/recording/batch/ClickBatch.ts"
import { click } from "../TestServer.ts"

const limits = { maxBatch: 1_000, maxBody: 65_536 }
const itemsOf = (body: string | Uint8Array, type = "application/json") =>
  Result.map(Effect.runSync(Effect.result(ClickBatch.parse(Buffer.from(body), type, limits))), ({ items }) =>
    items.map((item) =>
      "unreadable" in item ? item : { value: item.value, original: new TextDecoder().decode(item.original()) }
    )
  )

const sentItems = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const originalsOf = (body: string): ReadonlyArray<unknown> | undefined =>
  Result.match(itemsOf(body), {
    onSuccess: (items) => items.map((item) => ("original" in item ? JSON.parse(item.original) : item)),
    onFailure: () => undefined
  })

const layouts = Schema.Literals(["", "\t", " \r\n"])

describe("ClickBatch", () => {
  it.prop("finds the items of any JSON array", [Schema.Array(Schema.Json), layouts], ([array, indent]) => {
    const text = JSON.stringify(array, null, indent)
    assert.deepStrictEqual(originalsOf(` \n${text}\t`), JSON.parse(text))
  })

  it.prop(
    "rejects an array that JSON.parse rejects",
    [Schema.Array(Schema.Json), mutations],
    ([array, changes]) => {
      const text = mutated(JSON.stringify(array), changes)
      if (!text.trimStart().startsWith("[")) return
      assert.deepStrictEqual(originalsOf(text), sentItems(text))
    }
  )

  it.prop("finds each JSON line among blank ones", [Schema.Array(Schema.JsonObject)], ([values]) => {
    const lines = values.map((value) => `\n \r\n\n${JSON.stringify(value)}\t\r\n`).join("\n")
    const items = Result.getOrThrow(itemsOf(lines, "application/x-ndjson"))
    assert.deepStrictEqual(
      items.map((item) => ("original" in item ? item.original : item)),
      values.map((value) => JSON.stringify(value))
    )
  })

  it("keeps the bytes of each item as its original, however deeply it is nested", () => {
    const deep = `{"visitor_city" : ${"[".repeat(9_100)}"é"${"]".repeat(9_100)}}`
    const items = Result.getOrThrow(itemsOf(`\uFEFF[${deep},\n${deep} , 1.50]`))
    assert.deepStrictEqual(items, [
      { value: { visitor_city: {} }, original: deep },
      { value: { visitor_city: {} }, original: deep },
      { value: 1.5, original: "1.50" }
    ])
  })

  it("rejects a byte order mark inside an array, and an array closed by a brace", () => {
    for (const body of ["[\uFEFF{}]", "[{}}", "[{}]]", "[{}],", "[,]", "[{},]", "[{}{}]", '["]', "[{]}]"]) {
      assert.isTrue(Result.isFailure(itemsOf(body)), body)
    }
  })

  it.live("yields to other requests while it parses a large body", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: 16 }, () => ({ ...click, pad: "x".repeat(65_000) }))
      let turns = 0
      const count = () => {
        turns++
        next = setImmediate(count)
      }
      let next = setImmediate(count)
      const body = Buffer.from(JSON.stringify(items))
      const batch = yield* ClickBatch.parse(body, "application/json", limits)
      clearImmediate(next)
      assert.lengthOf(batch.items, 16)
      assert.isAtLeast(turns, 8)
    })
  )

  it("parses a single click as one item", () => {
    const text = JSON.stringify(click, null, 2)
    assert.deepStrictEqual(Result.getOrThrow(itemsOf(`\n${text}`)), [{ value: click, original: text }])
  })

  it.prop(
    "finds the items of the array `clicks` in any object, whatever its other fields are",
    [Schema.Array(Schema.JsonObject), Schema.JsonObject, Schema.JsonObject, layouts],
    ([array, before, after, indent]) => {
      const { clicks: _, ...first } = before
      const { clicks: __, ...last } = after
      const text = JSON.stringify({ ...first, '"clicks": [': "clicks", clicks: array, ...last }, null, indent)
      assert.deepStrictEqual(originalsOf(` \n${text}\t`), JSON.parse(text).clicks)
    }
  )

  it("keeps the bytes of each item of an envelope, and uses the last of two arrays", () => {
    const deep = `{"visitor_city" : ${"[".repeat(9_100)}"é"${"]".repeat(9_100)}}`
    const text = `\uFEFF{"a":{"clicks":[1]},"clicks":[2],"sent_at":"2026-11-20","clicks" : [${deep} ,3 ] }`
    assert.deepStrictEqual(Result.getOrThrow(itemsOf(text)), [
      { value: { visitor_city: {} }, original: deep },
      { value: 3, original: "3" }
    ])
  })

  it("parses an object without an array `clicks` as a click, and NDJSON as lines", () => {
    for (const text of [
      '{"clicks":{"a":[1]}}',
      '{"a":["clicks"]}',
      '{"a":{"clicks":[1]}}',
      '{"clicks":"[]"}'
    ]) {
      assert.deepStrictEqual(Result.getOrThrow(itemsOf(text)).length, 1, text)
    }
    const lines = '{"clicks":[1,2,3]}\n{"clicks":[4]}'
    assert.strictEqual(Result.getOrThrow(itemsOf(lines)).length, 2)
    assert.strictEqual(Result.getOrThrow(itemsOf('{"clicks":[1,2]}', "application/x-ndjson")).length, 1)
  })

  it("recognises the names of fields however they are escaped", () => {
    const envelope = '{"cl\\u0069ck\\u0073":[1,2],"\\u0063lick":[3]}'
    assert.strictEqual(Result.getOrThrow(itemsOf(envelope)).length, 2)
    const [item, ...others] = Result.getOrThrow(itemsOf('{"\\u0061ction":"view","clicks":[1,2]}'))
    assert.isEmpty(others)
    assert.nestedPropertyVal(item, "value.action", "view")
  })

  it("parses an object with product_id or action as a click, whatever else it has", () => {
    for (const text of [
      '{"product_id":"p-x","action":"view","source":"web","clicks":[1]}',
      '{"clicks":[1,2],"product_id" : "p-x"}',
      '{"clicks":[1,2],"action":"view"}'
    ]) {
      const [item, ...others] = Result.getOrThrow(itemsOf(text))
      assert.isEmpty(others)
      assert.propertyVal(item, "original", text)
    }
    for (const text of [
      '{"a":"product_id","b":"action","clicks":[1,2]}',
      '{"a":{"product_id":1},"clicks":[{"action":"view"},2]}'
    ]) {
      assert.lengthOf(Result.getOrThrow(itemsOf(text)), 2, text)
    }
  })

  it("rejects an envelope that is not JSON", () => {
    for (const body of [
      '{"clicks":[{},]}',
      '{"clicks":[1 2]}',
      '{"clicks":[1],}',
      '{"clicks":[1] "a":1}',
      '{a:1,"clicks":[1]}'
    ]) {
      assert.isTrue(Result.isFailure(itemsOf(body)), body)
    }
  })
})
