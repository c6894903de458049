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

// Not interruptible: a page that sends a click and is closed means the click all the same.
const route = { uninterruptible: true }

/**
 * The routes that take clicks in. They read their requests themselves, not by their declaration: what they take is wider
 * than any schema, and this path decides how many clicks a machine records.
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
