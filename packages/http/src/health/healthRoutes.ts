import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { DeclaredApi } from "../api.ts"
import { apiHeaders } from "../responses/apiResponse.ts"
import { type CheckResult, Readiness } from "./Readiness.ts"

const shown = (result: CheckResult) =>
  Result.match(result, {
    onSuccess: (findings) => ({ status: "ok", ...findings }),
    onFailure: ({ reason }) => ({ status: "failed", reason })
  })

const readyz = Effect.fnUntraced(function* () {
  const { check } = yield* Readiness
  const results = Object.entries(yield* check)
  const isReady = results.every(([, result]) => Result.isSuccess(result))
  return HttpServerResponse.jsonUnsafe(
    {
      status: isReady ? "ok" : "failed",
      checks: Object.fromEntries(results.map(([name, result]) => [name, shown(result)]))
    },
    { status: isReady ? 200 : 503, headers: apiHeaders }
  )
})

/** Handles the endpoints of `HealthApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "health", (handlers) =>
  handlers
    .handle("livez", () => Effect.succeed({ status: "ok" as const }))
    .handle("readyz", readyz)
    .handle("metrics", () => PrometheusMetrics.format())
)
