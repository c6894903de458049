import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openApi } from "./conformance.ts"
import { posting, type Request, testServer } from "./TestServer.ts"
import { crawls, discovery, putting, schedules, staggered } from "./tasks/TaskServer.ts"

const origins = "/api/admin/trusted-origins"
const typo = "Ignored field: nabled (did you mean enabled?)"

describe("the notice of unknown fields", () => {
  it.live("names each field and a similar known one, on every endpoint with a JSON body", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const cases: ReadonlyArray<readonly [string, Request, number, string]> = [
        [`${schedules}/s-1`, putting({ interval_minutes: 5, nabled: false }), 201, typo],
        [origins, posting({ kind: "domain", value: "shop.example", nabled: false }), 201, typo],
        [
          staggered,
          posting({ ...crawls(2, { priorty: 5 }), note: "x" }),
          202,
          "Ignored fields: priorty (did you mean priority?), note"
        ],
        [discovery, posting({ states: ["AZ"], colour: 1 }), 202, "Ignored field: colour"],
        [
          "/api/payloads/store/s-1",
          putting({ products: [{ product_id: "p-1", shelf: 3 }], fetchd_at: "2026-11-20T10:00:00Z" }),
          200,
          "Ignored field: fetchd_at (did you mean fetched_at?)"
        ]
      ]
      for (const [path, request, status, notice] of cases) {
        const answer = yield* server.askAdmin(path, request)
        assert.deepStrictEqual([answer.status, answer.headers.get("click-notice")], [status, notice], path)
      }
    })
  )

  it.live("is absent when every field is known", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers } = yield* server.askAdmin(`${schedules}/s-1`, putting({ interval_minutes: 5 }))
      assert.isNull(headers.get("click-notice"))
    })
  )

  it("is documented: no schema of a body forbids additional fields", () => {
    const schemas: Readonly<Record<string, object>> = openApi.components.schemas
    for (const name of [
      "CrawlScheduleSettings",
      "NewTrustedOrigin",
      "TrustedOriginChange",
      "StaggeredTasks"
    ]) {
      assert.notInclude(JSON.stringify(schemas[name]), '"additionalProperties":false')
    }
  })
})
