import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fromUserAgent } from "../../src/clicks/DeviceType.ts"

// A second implementation of rule D, without regular expressions and with a different structure.
const secondStatement = (userAgent: string): string => {
  const words = ["mobile", "android", "iphone", "ipad", "ipod", "blackberry", "windows phone"]
  const has = (word: string) => userAgent.toLocaleLowerCase("en-US").split(word).length > 1
  if (!words.some(has)) return "desktop"
  return ["ipad", "tablet"].some(has) ? "tablet" : "mobile"
}

describe("rule D", () => {
  it.each([
    [null, "desktop"],
    ["", "desktop"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "desktop"],
    ["Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X)", "tablet"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 16_0)", "mobile"],
    ["Mozilla/5.0 (Linux; Android 13; Tablet)", "tablet"],
    ["Mozilla/5.0 (Linux; Android 13; Pixel 7)", "mobile"],
    ["SomeTablet/1.0", "desktop"],
    ["iPod", "mobile"],
    ["BLACKBERRY9000", "mobile"],
    ["Windows Phone 8", "mobile"],
    ["WindowsPhone", "desktop"]
  ] as const)("%s is %s", (userAgent, device) => {
    assert.strictEqual(fromUserAgent(userAgent), device)
  })

  it("agrees with a second implementation on 10,000 real user agents", () => {
    const file = new URL("user-agents.json", import.meta.resolve("user-agents"))
    const visits: ReadonlyArray<{ readonly userAgent: string }> = JSON.parse(readFileSync(file, "utf8"))
    assert.isAtLeast(visits.length, 10_000)
    const seen = new Set<string>()
    for (const { userAgent } of visits) {
      const device = fromUserAgent(userAgent)
      assert.strictEqual(device, secondStatement(userAgent), userAgent)
      seen.add(device)
    }
    assert.isAtLeast(seen.size, 2)
  })

  const words = [
    "Mobile",
    "ANDROID",
    "iphone",
    "iPad",
    "Tablet",
    "ipod",
    "BlackBerry",
    "Windows Phone",
    "Windows",
    "x",
    " ",
    ";"
  ]
  it.prop("agrees with it on any mixture of words", [Schema.Array(Schema.Literals(words))], ([mixture]) => {
    const userAgent = mixture.join("")
    return fromUserAgent(userAgent) === secondStatement(userAgent)
  })
})
