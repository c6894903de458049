import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { clickNotice } from "./clickNotice.ts"

/** Adds a notice to the `Click-Notice` header of the answer to the current request. */
export const addNotice = (notice: string) =>
  HttpEffect.appendPreResponseHandler((_, response) => {
    const earlier = response.headers["click-notice"]
    const notices = earlier === undefined ? [notice] : [earlier, notice]
    return Effect.succeed(HttpServerResponse.setHeaders(response, clickNotice(...notices)))
  })
