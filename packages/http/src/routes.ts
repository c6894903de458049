import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as accessControl from "./access/accessControl.ts"
import * as keyRoutes from "./access/admin/keyRoutes.ts"
import * as trustedOriginRoutes from "./access/admin/trustedOriginRoutes.ts"
import * as sessionRoutes from "./access/sessionRoutes.ts"
import * as analyticsRoutes from "./analytics/analyticsRoutes.ts"
import * as sharedReading from "./analytics/sharing/sharedReading.ts"
import * as sharingRoutes from "./analytics/sharing/sharingRoutes.ts"
import { DeclaredApi } from "./api.ts"
import * as linkRoutes from "./clicks/links/linkRoutes.ts"
import * as listingRoutes from "./clicks/listingRoutes.ts"
import * as recordingRoutes from "./clicks/recording/recordingRoutes.ts"
import * as TrackingScript from "./clicks/recording/TrackingScript.ts"
import * as quarantineRoutes from "./clicks/status/quarantineRoutes.ts"
import * as statusRoutes from "./clicks/status/statusRoutes.ts"
import * as streamRoutes from "./clicks/streamRoutes.ts"
import * as dashboard from "./dashboard.ts"
import * as docs from "./docs.ts"
import type { HttpServerOptions } from "./HttpServerOptions.ts"
import * as healthRoutes from "./health/healthRoutes.ts"
import * as endpointRules from "./requests/endpointRules.ts"
import { apiHeaders } from "./responses/apiResponse.ts"
import * as payloadRoutes from "./stores/payloadRoutes.ts"
import * as scheduleRoutes from "./tasks/scheduleRoutes.ts"
import * as taskRoutes from "./tasks/taskRoutes.ts"

const withApiHeaders = HttpRouter.middleware((app) =>
  Effect.map(app, HttpServerResponse.setHeaders(apiHeaders))
).layer

const declared = (options: HttpServerOptions) =>
  HttpApiBuilder.layer(DeclaredApi).pipe(
    Layer.provide([
      sessionRoutes.layer(options),
      keyRoutes.layer,
      quarantineRoutes.layer,
      listingRoutes.layer,
      streamRoutes.layer(options),
      statusRoutes.layer,
      analyticsRoutes.layer,
      sharingRoutes.layer,
      trustedOriginRoutes.layer,
      healthRoutes.layer,
      payloadRoutes.layer,
      taskRoutes.layer,
      scheduleRoutes.layer
    ]),
    Layer.provide(withApiHeaders)
  )

/** All routes of the service. */
export const layer = (options: HttpServerOptions) =>
  Layer.mergeAll(
    declared(options),
    recordingRoutes.layer(options),
    linkRoutes.layer(options),
    TrackingScript.layer(options.trackingScripts),
    docs.layer,
    dashboard.layer(options)
  ).pipe(
    Layer.provide(sharedReading.layer),
    Layer.provide([accessControl.layer(options), endpointRules.layer])
  )
