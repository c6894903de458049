import { ClickInput } from "@clicks/core/clicks/ClickInput"
import { parseJson } from "@clicks/core/clicks/parseJson"
import { judge } from "@clicks/core/clicks/recording/ClickSubmission"
import { knownFields } from "@clicks/core/clicks/recording/knownFields"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decode, encode, readFrames } from "../../../src/clicks/spool/SegmentContent.ts"

const origin = { userId: null, ipAddress: "203.0.113.9", userAgent: "Mozilla/5.0" }
const click = { product_id: "p-1", action: "view", source: "web" }

/** Fields that the service adds to each click: ids, times and the sender. */
const added = 512

const marker = Buffer.alloc(8, 1)

const record = (text: string) => {
  const sent = Buffer.from(text)
  const { body } = knownFields(parseJson(text))
  return encode(marker, Result.getOrThrow(judge({ body, origin, original: () => sent }, Date.now())))
}

const fields = Schema.Record(
  Schema.Literals([...Object.keys(ClickInput.fields), "extra"]),
  Schema.Union([Schema.Json, Schema.String, Schema.Finite])
)

describe("a click in the spool", () => {
  it.prop("takes at most four times its size as sent", [fields], ([sent]) => {
    const text = JSON.stringify({ ...sent, ...click })
    assert.isAtMost(record(text).length, 4 * Buffer.byteLength(text) + added)
  })

  it("takes no more if every field is lost or needs the most escaping", () => {
    const lost = Object.fromEntries(Object.keys(ClickInput.fields).map((name) => [name, {}]))
    const costly = ["\0", "\u0001", '"', "\\", "\ud800", "é", "\u2028", "😀"].map((character) => ({
      ...click,
      product_id: character.repeat(20_000),
      url_path: character.repeat(20_000)
    }))
    for (const sent of [{ ...lost, ...click }, ...costly]) {
      const text = JSON.stringify(sent)
      assert.isAtMost(record(text).length, 4 * Buffer.byteLength(text) + added, text.slice(0, 80))
    }
  })

  it("has no original if it was stored completely", () => {
    const bytes = record(JSON.stringify({ ...click, store_id: "s-1", price: 1 }))
    const [frame] = readFrames(bytes, marker.toString("hex"))
    assert.isTrue(typeof frame === "object" && decode(frame)?.quarantined === null)
  })
})
