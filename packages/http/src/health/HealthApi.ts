import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { metricsPath, Readers } from "../access/AccessApi.ts"

const checks = Schema.Record(
  Schema.String,
  Schema.StructWithRest(Schema.Struct({ status: Schema.Literals(["ok", "failed"]) }), [
    Schema.Record(Schema.String, Schema.Json)
  ])
).annotate({
  description: "Checks by name, with status and details",
  examples: [{ database: { status: "ok" } }]
})

const Ready = Schema.Struct({ status: Schema.Literal("ok"), checks }).annotate({ identifier: "Ready" })

/** 503: the response of `/readyz` if a check failed. */
export class NotReady extends Schema.Error<NotReady>("NotReady")(
  { status: Schema.Literal("failed"), checks },
  { httpApiStatus: 503, description: "At least one check failed" }
) {}

const livez = HttpApiEndpoint.get("livez", "/livez", {
  success: Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Live" })
}).annotateMerge(
  OpenApi.annotations({
    summary: "Liveness",
    description: "Succeeds while the process can serve HTTP, regardless of the database."
  })
)

const readyz = HttpApiEndpoint.get("readyz", "/readyz", { success: Ready, error: NotReady }).annotateMerge(
  OpenApi.annotations({
    summary: "Readiness",
    description:
      "Checks the database, the spool and, if there is one, the archive of older clicks. Returns 503 if a check fails; the checks of spool and archive never fail."
  })
)

const metrics = HttpApiEndpoint.get("metrics", metricsPath, {
  success: Schema.String.pipe(
    HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
})
  .middleware(Readers)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Prometheus metrics",
      description: "Requires the role reader unless CLICKS_METRICS_PUBLIC is true."
    })
  )

/** Health checks and metrics. */
export class HealthApi extends HttpApiGroup.make("health")
  .add(livez, readyz, metrics)
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "Health checks and metrics" })) {}
