import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as ClickInput from "../../../src/clicks/ClickInput.ts"
import { knownFields } from "../../../src/clicks/recording/knownFields.ts"

const click = { product_id: "p-1", action: "view", source: "web" }
const fields = Schema.Record(Schema.Literals(Object.keys(ClickInput.ClickInput.fields)), Schema.Json)

describe("knownFields", () => {
  it.prop("keeps everything that determines the click", [fields, Schema.JsonObject], ([known, others]) => {
    const sent = { ...others, ...click, ...known }
    assert.deepStrictEqual(ClickInput.parse(knownFields(sent).body), ClickInput.parse(sent))
  })

  it.prop("does not change why a value is rejected", [Schema.Json], ([json]) => {
    assert.deepStrictEqual(ClickInput.parse(knownFields(json).body), ClickInput.parse(json))
  })

  it("returns an ordinary click unchanged", () => {
    const sent = { ...click, store_id: 17, occurred_at: null, event_type: "product_click" }
    const { body, ignored } = knownFields(sent)
    assert.strictEqual(body, sent)
    assert.deepStrictEqual(ignored, [])
  })

  it("removes other fields and the contents of objects", () => {
    const sent = JSON.parse(
      '{"user_id":"u","visitor_city":{"deep":[1]},"__proto__":{"store_id":"s"},"event_type":"sale","price":1}'
    )
    const { body, ignored } = knownFields(sent)
    assert.deepStrictEqual(body, { visitor_city: {} })
    assert.deepStrictEqual(ignored, ["user_id", "__proto__", "event_type", "price"])
    assert.deepStrictEqual(knownFields([sent]).body, [])
  })
})
