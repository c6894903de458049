import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { openApiText } from "../src/docs.ts"

// The paths are given, and no request matches both: a batch is read with GET, a task is retried or cancelled with POST.
const acceptable = [
  "`/api/tasks/batch/{batch_id}` and `/api/tasks/{id}/retry`",
  "`/api/tasks/batch/{batch_id}` and `/api/tasks/{id}/cancel`"
]

// The successful response of a link is a redirect.
const redirects = "operation-2xx-response #/paths/~1r~1{token}/get/responses"

const isAcceptable = (message: string): boolean =>
  [...acceptable, redirects].some((known) => message.includes(known))

describe("openapi.json", () => {
  it("follows the rules that Redocly recommends", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source: openApiText(), absoluteRef: "/openapi.json", config })
    const found = problems.map(
      ({ location, message, ruleId }) => `${ruleId} ${location[0]?.pointer}: ${message}`
    )
    assert.deepStrictEqual(
      found.filter((problem) => !isAcceptable(problem)),
      []
    )
  }, 60_000)

  it("follows the rules that Spectral recommends", async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, "recommended"]] }))
    const problems = await linter.run(JSON.parse(openApiText()))
    assert.deepStrictEqual(
      problems.map(({ code, message, path }) => `${code} ${path.join("/")}: ${message}`),
      []
    )
  }, 60_000)
})
