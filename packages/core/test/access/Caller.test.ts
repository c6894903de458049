import { assert, describe, it } from "@effect/vitest"
import { anonymous, authenticated, hasRole, userId } from "../../src/access/Caller.ts"

describe("Caller", () => {
  it("lets admins do everything that readers may, and others nothing", () => {
    assert.isTrue(hasRole(authenticated("u", "admin"), "reader"))
    assert.isTrue(hasRole(authenticated("u", "admin"), "admin"))
    assert.isTrue(hasRole(authenticated(null, "reader"), "reader"))
    assert.isFalse(hasRole(authenticated("u", "reader"), "admin"))
    assert.isFalse(hasRole(authenticated("u", null), "reader"))
    assert.isFalse(hasRole(anonymous, "reader"))
  })

  it("has no user id if anonymous", () => {
    assert.isNull(userId(anonymous))
    assert.strictEqual(userId(authenticated("u", null)), "u")
  })
})
