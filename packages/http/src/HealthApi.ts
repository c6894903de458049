import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MetricsReaders } from "./access/AccessApi.ts"
import { InternalFailure } from "./errors.ts"

const checks = Schema.Record(
  Schema.String,
  Schema.StructWithRest(Schema.Struct({ status: Schema.Literals(["ok", "failed"]) }), [
    Schema.Record(Schema.String, Schema.Json)
  ])
).annotate({
  description: "By name; beside the status stands what the check found",
  examples: [{ database: { status: "ok" } }]
})

/** The answer of `/readyz` when all is well. */
export const Ready = Schema.Struct({ status: Schema.Literal("ok"), checks }).annotate({ identifier: "Ready" })

/** The answer of `/readyz` when at least one check failed. */
export class NotReady extends Schema.Error<NotReady>("NotReady")(
  { status: Schema.Literal("failed"), checks },
  { httpApiStatus: 503, description: "At least one check failed" }
) {}

const livez = HttpApiEndpoint.get("livez", "/livez", {
  success: Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Live" })
}).annotateMerge(
  OpenApi.annotations({
    summary: "Is the process alive",
    description: "Answers as long as the process can serve HTTP, whatever state the database is in."
  })
)

const readyz = HttpApiEndpoint.get("readyz", "/readyz", { success: Ready, error: NotReady }).annotateMerge(
  OpenApi.annotations({
    summary: "Can it do its work: the database and the spool",
    description: "The result of each check. 503 when at least one failed."
  })
)

const metrics = HttpApiEndpoint.get("metrics", "/metrics", {
  success: Schema.String.pipe(
    HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
  ),
  error: InternalFailure
})
  .middleware(MetricsReaders)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Metrics in the text format of Prometheus",
      description: "Open to everybody where the service runs with CLICKS_METRICS_PUBLIC=true."
    })
  )

/** For those who run the service. */
export class HealthApi extends HttpApiGroup.make("health")
  .add(livez, readyz, metrics)
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "For those who run the service" })) {}
