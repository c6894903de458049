import { Context, type Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** What `/metrics` answers, in the text format of Prometheus. By itself, the metrics of this process. */
export const MetricsText = Context.Reference<Effect.Effect<string>>("@clicks/http/MetricsText", {
  defaultValue: () => PrometheusMetrics.format()
})
