import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkHeader, mapRow, parseMapping } from "../../../src/clicks/importing/RowMapping.ts"

const mapping = (maps: ReadonlyArray<string>, sets: ReadonlyArray<string> = []) =>
  Result.getOrThrow(parseMapping(maps, sets))

const refusal = (maps: ReadonlyArray<string>, sets: ReadonlyArray<string> = []) =>
  Result.getOrThrow(Result.flip(parseMapping(maps, sets)))

describe("a mapping", () => {
  it("fills a field from the column of its name, another, several or none", () => {
    const columns = {
      product_id: "p-1",
      sku: "s=1",
      year: 2008,
      month: "4",
      day: "13",
      city: "",
      action: "view"
    }
    const row = mapRow(
      mapping(
        [
          "store_id=sku",
          "occurred_at={year}-{month:02}-{day:02}",
          "visitor_city={{{city}}}{month}",
          "action="
        ],
        ["source=shop", "page_type="]
      ),
      columns
    )
    assert.deepStrictEqual(row, {
      occurred_at: "2008-04-13",
      product_id: "p-1",
      source: "shop",
      store_id: "s=1",
      visitor_city: "{}4"
    })
  })

  it("leaves a template empty when all of its columns are", () => {
    const dates = mapping(["occurred_at={year}-{month:02}"])
    assert.deepStrictEqual(mapRow(dates, { year: "", month: null }), {})
    assert.deepStrictEqual(mapRow(dates, { year: "2008" }), { occurred_at: "2008-" })
  })

  it("ignores properties that every object inherits", () => {
    assert.deepStrictEqual(mapRow(mapping(["store_id=toString", "brand_id=constructor"]), {}), {})
  })

  it("names invalid options", () => {
    assert.match(refusal(["sku=product_id"]), /unknown field sku\. Fields: id, product_id, .*received_at/)
    assert.match(refusal([], ["event_type=x"]), /unknown field event_type/)
    assert.match(refusal(["product_id"]), /write it as field=column/)
    assert.match(refusal(["product_id=a"], ["product_id=b"]), /set twice/)
    assert.match(refusal(["product_id={a"]), /unmatched brace/)
  })

  it("reports missing columns and lists those in the file", () => {
    const header = ["sku", "action", "source", "source"]
    const problem = (maps: ReadonlyArray<string>) =>
      Result.getOrThrow(Result.flip(checkHeader(mapping(maps), header, "shop.csv")))
    const lacking = problem(["source=action"])
    assert.match(
      lacking.message,
      /^shop\.csv: missing column product_id\. Use --map product_id=<column> or --set .*file: sku, action/
    )
    assert.strictEqual(lacking._tag, "CommandFailed")
    const wrong = problem(["product_id={sku}{skuu}", "source=action"])
    assert.match(
      wrong.message,
      /^shop\.csv: --map product_id: unknown column skuu\. Columns in the file: sku, action/
    )
    assert.strictEqual(wrong._tag, "UsageError")
    assert.match(problem(["product_id=sku"]).message, /2 columns named source/)
    assert.isTrue(
      Result.isSuccess(checkHeader(mapping(["product_id=sku"], ["source=x"]), header, "shop.csv"))
    )
  })
})
