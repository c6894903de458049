import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, folderLayer } from "../clicks.ts"

describe("clicks keys", () => {
  it.live("creates a key and shows it once, lists it without its secret and revokes it", () =>
    Effect.gen(function* () {
      const made = yield* clicks([
        "keys",
        "create",
        "--user",
        "anna",
        "--role",
        "admin",
        "--name",
        "Anna's laptop"
      ])
      assert.match(made.stdout, /^clk_[\w-]{43}\n$/)
      assert.match(made.stderr, /Created admin key .*not shown again/)
      const { key, secret } = JSON.parse(
        (yield* clicks(["keys", "create", "--user", "bob", "--json"])).stdout
      )
      assert.match(secret, /^clk_/)
      assert.deepInclude(key, { user_id: "bob", role: "reader", name: null, revoked_at: null })

      const table = yield* clicks(["keys", "list"])
      assert.match(table.stdout, new RegExp(`^${key.id} +bob +reader`, "m"))
      assert.match(table.stdout, /anna +admin +Anna's/)
      assert.notInclude(table.stdout + table.stderr, secret)

      const revoked = yield* clicks(["keys", "revoke", key.id])
      assert.deepStrictEqual([revoked.code, revoked.stdout], [0, ""])
      const { keys, total } = JSON.parse((yield* clicks(["keys", "list", "--json"])).stdout)
      assert.strictEqual(total, 2)
      assert.isNotNull(keys.find((each: { readonly id: string }) => each.id === key.id).revoked_at)

      const unknown = yield* clicks(["keys", "revoke", "nobody"])
      assert.deepStrictEqual(
        [unknown.code, unknown.stderr],
        [1, "clicks: There is no key with the id nobody\n"]
      )
      assert.strictEqual((yield* clicks(["keys", "create"])).code, 2)
    }).pipe(Effect.provide(Layer.mergeAll(TestDatabase.layerEmpty, folderLayer)))
  )
})
