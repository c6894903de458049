import { describe, expect, it } from "vitest"
import { versionProblem } from "../src/ServerVersion.ts"

describe("versionProblem", () => {
  it.each([
    "26.3.17.1",
    "26.3.18.5",
    "26.4.5.2",
    "26.5.6.1-stable",
    "26.6.2.81",
    "26.7.1.1",
    "27.1.1.1",
    "26.10.1.3"
  ])("accepts %s", (version) => expect(versionProblem(version)).toBeUndefined())

  it.each(["26.3.16.9", "26.4.4.9", "26.5.5.1", "26.6.1.1", "26.2.99.1", "25.8.20.1", "9.9.9", "", "latest"])(
    "rejects %s and names the versions to upgrade to",
    (version) =>
      expect(versionProblem(version)).toBe(
        `ClickHouse ${version} is known to lose data. Upgrade to 26.3.17, 26.4.5, 26.5.6, 26.6.2 or newer`
      )
  )
})
