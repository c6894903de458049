import type { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import type { Authentication } from "../../access/Authentication.ts"
import { path } from "./RecordingApi.ts"
import { preflight } from "./RecordingCors.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import * as recordByImage from "./recordByImage.ts"
import { recordClicks } from "./recordClicks.ts"
import * as recordOne from "./recordOne.ts"

const { image, many, one } = path

// Not interruptible: a click is recorded even if the page that sent it is closed.
const route = { uninterruptible: true }

/**
 * The routes that record clicks. They read their requests themselves instead of by their declaration: they accept more than a schema can
 * express, and this path determines how many clicks a machine can record.
 */
export const layer = (
  options: RecordingOptions
): Layer.Layer<never, never, HttpRouter.HttpRouter | ClickRecorder | Authentication> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      yield* router.add("POST", one, yield* recordOne.route(options), route)
      yield* router.add("POST", many, yield* recordClicks(options), route)
      yield* router.add("GET", image, yield* recordByImage.route(options), route)
      yield* router.add("OPTIONS", one, preflight(options.corsOrigins, "POST, OPTIONS"))
      yield* router.add("OPTIONS", many, preflight(options.corsOrigins, "GET, HEAD, POST, OPTIONS"))
    })
  )
