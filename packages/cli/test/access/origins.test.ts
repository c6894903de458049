import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { kindOf } from "../../src/access/origins.ts"
import { clicks, folderLayer } from "../clicks.ts"

const json = (...args: ReadonlyArray<string>) =>
  Effect.map(clicks(["origins", ...args, "--json"]), ({ stdout }) => JSON.parse(stdout))

describe("clicks origins", () => {
  it.effect("adds, lists, changes and removes entries, and rejects invalid changes", () =>
    Effect.gen(function* () {
      const office = yield* json("add", "10.0.0.1/8", "--name", "office")
      assert.deepInclude(office, {
        kind: "address",
        value: "10.0.0.0/8",
        name: "office",
        enabled: true,
        effect: "bypass"
      })
      const added = yield* clicks(["origins", "add", "*.shop.example", "--disabled"])
      assert.deepStrictEqual([added.code, added.stdout], [0, ""])
      assert.match(added.stderr, /^pattern \*\.shop\.example added \([0-9a-f-]{36}\)\n$/)
      const repeated = yield* clicks(["origins", "add", "10.1.2.3/8"])
      assert.deepStrictEqual(
        [repeated.code, repeated.stderr],
        [1, "clicks: There is an entry with the value 10.0.0.0/8 already\n"]
      )

      const everyone = yield* clicks(["origins", "add", "::/0"])
      assert.strictEqual(everyone.code, 2)
      assert.match(
        everyone.stderr,
        /would let almost anyone read without a credential\. .* \(--allow-everyone\)/
      )
      const allowed = yield* json("add", "::/0", "--allow-everyone")
      assert.strictEqual((yield* clicks(["origins", "update", allowed.id, "--disable"])).code, 0)
      assert.strictEqual((yield* clicks(["origins", "remove", allowed.id])).code, 0)

      const { stderr, stdout } = yield* clicks(["origins", "list"])
      const rows = stdout.trimEnd().split("\n")
      assert.match(rows[0] ?? "", /^id +kind +value +effect +name$/)
      assert.match(rows[1] ?? "", /pattern +\*\.shop\.example +disabled$/)
      assert.match(
        rows[2] ?? "",
        new RegExp(`^${office.id} +address +10.0.0.0/8 +reads without a key +office$`)
      )
      assert.strictEqual(stderr, "2 trusted origins\n")

      const page = yield* json(
        "update",
        office.id,
        "--kind",
        "domain",
        "--value",
        "A.example",
        "--name",
        "",
        "--disable"
      )
      const { updated_at, ...kept } = {
        ...office,
        kind: "domain",
        value: "a.example",
        name: null,
        enabled: false
      }
      assert.deepInclude(page, { ...kept, effect: "cors" })
      assert.isAtLeast(Date.parse(page.updated_at), Date.parse(updated_at))

      assert.strictEqual((yield* clicks(["origins", "remove", office.id])).code, 0)
      const gone = yield* clicks(["origins", "remove", office.id])
      assert.deepStrictEqual(
        [gone.code, gone.stderr],
        [1, `clicks: There is no trusted origin with the id ${office.id}\n`]
      )
      const trusting = { CLICKS_TRUST_ORIGIN_HEADER: "true" }
      const list = JSON.parse((yield* clicks(["origins", "list", "--json"], { env: trusting })).stdout)
      assert.strictEqual(list.total, 1)
      assert.deepInclude(list.trusted_origins[0], {
        value: "*.shop.example",
        enabled: false,
        effect: "bypass"
      })
    }).pipe(Effect.provide(Layer.mergeAll(TestDatabase.layer, folderLayer)))
  )

  it.effect("names missing arguments", () =>
    Effect.gen(function* () {
      for (const [args, sentence] of [
        [["add", "https://shop.example"], /^clicks: value must be a host name alone/],
        [["add", "10.0.0.300"], /^clicks: value must be an IP address or a CIDR range/],
        [["add", "a.example", "--kind", "regex"], /Allowed choices are address, domain, pattern/],
        [["update", "nobody", "--disable", "--enable"], /cannot be used with/]
      ] as const) {
        const outcome = yield* clicks(["origins", ...args])
        assert.match(outcome.stderr, sentence)
        assert.deepStrictEqual([outcome.code, outcome.stdout], [2, ""])
      }
    }).pipe(Effect.provide(Layer.mergeAll(TestDatabase.layer, folderLayer)))
  )

  it.each([
    ["::1", "address"],
    ["192.0.2.7", "address"],
    ["10.0.0.300/8", "address"],
    ["localhost", "domain"],
    ["10.example", "domain"],
    ["*.example.com", "pattern"],
    ["*", "pattern"]
  ])("takes %s for the kind %s", (value, kind) => {
    assert.strictEqual(kindOf(value), kind)
  })
})
