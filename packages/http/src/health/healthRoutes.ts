import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { apiOf } from "../openapi/declaration.ts"
import { HealthApi } from "./HealthApi.ts"
import { type CheckResult, Readiness } from "./Readiness.ts"

const shown = (result: CheckResult) =>
  Result.match(result, {
    onSuccess: (findings) => ({ status: "ok", ...findings }),
    onFailure: ({ reason }) => ({ status: "failed", reason })
  })

const readyz = Effect.fnUntraced(function* () {
  const results = Object.entries(yield* Readiness.use(({ check }) => check))
  const isReady = results.every(([, result]) => Result.isSuccess(result))
  return HttpServerResponse.jsonUnsafe(
    {
      status: isReady ? "ok" : "failed",
      checks: Object.fromEntries(results.map(([name, result]) => [name, shown(result)]))
    },
    { status: isReady ? 200 : 503 }
  )
})

/** Handles the endpoints of `HealthApi`. */
export const layer = HttpApiBuilder.group(apiOf(HealthApi), "health", (handlers) =>
  handlers
    .handle("livez", () => Effect.succeed({ status: "ok" as const }))
    .handle("readyz", readyz)
    .handle("metrics", () => PrometheusMetrics.format())
)
