import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { acceptRow } from "../../../src/clicks/importing/judgeRow.ts"
import { mapRow, parseMapping } from "../../../src/clicks/importing/RowMapping.ts"

const now = new Date("2026-11-20T10:00:00.000Z")
const mapping = Result.getOrThrow(parseMapping([], []))

const judge = (columns: Record<string, unknown>) =>
  acceptRow(
    { line: 1, original: Buffer.from("the row"), isCutOff: false },
    mapRow(mapping, columns),
    () => "given",
    now
  )

const accepted = (columns: Record<string, unknown>) => Result.getOrThrow(judge(columns))
const rejected = (columns: Record<string, unknown>) => Result.getOrThrow(Result.flip(judge(columns)))

const click = { product_id: "p-1", action: "view", source: "web" }

describe("a row", () => {
  it("keeps the fields that only a stored click has", () => {
    const own = {
      id: "019AA0D2-5C00-7000-8000-5F2B0C9D1E3A",
      user_id: "u-1",
      ip_address: "203.0.113.9",
      user_agent: "a desktop, it says",
      device_type: "tablet",
      received_at: "2020-01-02T03:04:05.678Z"
    }
    const { event, quarantined } = accepted({ ...click, ...own, event_type: "anything" })
    const { id, device_type, event_type, ip_address, occurred_at, received_at, user_agent, user_id } = event
    assert.deepStrictEqual(
      { id, device_type, ip_address, user_agent, user_id, received_at: received_at.toISOString() },
      { ...own, id: own.id.toLowerCase(), device_type: "tablet" }
    )
    assert.strictEqual(event_type, "product_click")
    assert.deepStrictEqual(occurred_at, received_at)
    assert.isNull(quarantined)
  })

  it("gets an id, the time of import and a device type if it has none", () => {
    const { event } = accepted({ ...click, user_agent: "iPad" })
    assert.strictEqual(event.id, "given")
    assert.deepStrictEqual([event.received_at, event.occurred_at], [now, now])
    assert.strictEqual(event.device_type, "tablet")
  })

  it("is rejected with the reason if it breaks a rule or has an invalid field of a stored click", () => {
    assert.match(rejected({ action: "view" }), /^product_id is required/)
    assert.match(rejected({ ...click, action: "buy" }), /^action is required and must be one of/)
    assert.match(rejected({ ...click, id: "17" }), /^id is not a UUID/)
    assert.match(rejected({ ...click, id: 17 }), /^id is not a UUID/)
    assert.match(rejected({ ...click, received_at: "yesterday" }), /^received_at/)
    assert.match(rejected({ ...click, client_occurred_at: "yesterday" }), /^client_occurred_at/)
    assert.match(
      rejected({ ...click, device_type: "fridge" }),
      /^device_type is not one of: desktop, mobile, tablet/
    )
  })

  it("is stored without invalid values, and its original is kept", () => {
    const { event, quarantined } = accepted({
      ...click,
      visitor_lat: "north",
      user_id: { a: 1 },
      user_agent: "\0"
    })
    assert.deepStrictEqual([event.visitor_lat, event.user_id, event.user_agent], [null, null, null])
    assert.strictEqual(
      quarantined?.reason,
      "visitor_lat is not a number; user_agent contains a NUL character; user_id is not a text"
    )
    assert.strictEqual(Buffer.from(quarantined?.original ?? []).toString(), "the row")
  })
})
