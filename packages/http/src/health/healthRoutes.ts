import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { apiOf } from "../openapi/declaration.ts"
import { HealthApi, NotReady } from "./HealthApi.ts"
import { Readiness } from "./Readiness.ts"

const ready = Effect.gen(function* () {
  const checks = yield* Readiness.use(({ check }) => check)
  if (Object.values(checks).every(({ status }) => status === "ok")) return { status: "ok" as const, checks }
  return yield* new NotReady({ status: "failed", checks })
})

/** Handles the endpoints of `HealthApi`. */
export const layer = HttpApiBuilder.group(apiOf(HealthApi), "health", (handlers) =>
  handlers
    .handle("livez", () => Effect.succeed({ status: "ok" as const }))
    .handle("readyz", () => ready)
    .handle("metrics", () => PrometheusMetrics.format())
)
