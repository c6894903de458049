import { fieldNames } from "@clicks/core/clicks/ClickEvent"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import { guard, header, row, unguard } from "../../src/clicks/ClickCsv.ts"

const event = plainClick({
  id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a",
  source: "web",
  store_id: 'say "hi", then\r\nleave',
  brand_id: "=1+1",
  dispensary_name: " spaced ",
  page_type: "'quoted'",
  url_path: "/a",
  visitor_city: "'=x",
  visitor_lat: -33.5,
  visitor_lng: 1e-7,
  occurred_at: new Date("2026-11-20T10:00:00Z"),
  received_at: new Date("2026-11-20T10:00:00.001Z")
})

describe("a click as CSV", () => {
  it("has the field names as its header row", () => {
    assert.strictEqual(header, `${fieldNames.join(",")}\r\n`)
  })

  it("is quoted as in RFC 4180, with empty cells for absent values", () => {
    assert.strictEqual(
      row(event),
      '019aa0d2-5c00-7000-8000-5f2b0c9d1e3a,product_click,p-1,view,web,"say ""hi"", then\r\nleave",' +
        "'=1+1,, spaced ,'quoted',/a,''=x,,-33.5,1e-7,,,,,,desktop,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.001Z,\r\n"
    )
  })

  it("cannot run as a formula in a spreadsheet", () => {
    const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
    const starts = [
      "",
      " ",
      "   ",
      "\t",
      "\r",
      "\n",
      "\r\n \n",
      "\u00a0",
      "\u3000",
      "\ufeff",
      "\u200b",
      "\0",
      "'",
      "''",
      " ' "
    ]
    for (const text of starts.flatMap((start) => signs.map((sign) => `${start}${sign}SUM(A1)`))) {
      assert.strictEqual(guard(text), `'${text}`, JSON.stringify(text))
    }
    for (const text of ["\tx", "\rx", "\nx"]) assert.strictEqual(guard(text), `'${text}`)
    for (const text of ["a=1", "'", "'a", "", "1", " 1", " a =1", "名=1"])
      assert.strictEqual(guard(text), text)
  })

  it.prop("can be read back without loss", [Schema.String], ([text]) => {
    for (const prefix of ["", "=", "'", "'-", "''@", "\t'", " =", "' ＋", "\ufeff'=", "'\n"]) {
      assert.strictEqual(unguard(guard(prefix + text)), prefix + text)
    }
  })
})
