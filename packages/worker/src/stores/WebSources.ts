import { StoreSource, StoreSourceError } from "@clicks/core/stores/StoreSource"
import { Effect, Layer, Option } from "effect"
import * as JsonFetch from "./JsonFetch.ts"

export interface WebSourcesOptions extends Partial<JsonFetch.JsonFetchOptions> {
  /** A URL with `{state}` in it. */
  readonly directoryUrl: Option.Option<string>
}

const notConfigured = new StoreSourceError({
  message:
    "No store directory is configured: set CLICKS_DISCOVERY_URL to its URL, with {state} in place of the two-letter state",
  retryable: false
})

/** Fetches the store directory and the menus from the web. Both share the rate limit of each host. */
export const layer = ({ directoryUrl, ...options }: WebSourcesOptions): Layer.Layer<StoreSource> =>
  Layer.effect(
    StoreSource,
    Effect.map(JsonFetch.make(options), (fetch) => ({
      // The operator chose the directory's host, so it may be in a private network; the targets of its redirects may not.
      stores: Effect.fn("StoreSource.stores")(function* (state) {
        if (Option.isNone(directoryUrl)) return yield* notConfigured
        const url = directoryUrl.value.replaceAll("{state}", state)
        return yield* Effect.mapError(
          fetch(url, URL.parse(url)?.origin),
          JsonFetch.within("The store directory")
        )
      }),
      // The directory chose the menu's URL, which is not trusted.
      menu: Effect.fn("StoreSource.menu")(function* ({ id, menu_url }) {
        if (menu_url === null) {
          return yield* new StoreSourceError({ message: `Store ${id} has no menu_url`, retryable: false })
        }
        return yield* Effect.mapError(fetch(menu_url), JsonFetch.within(`The menu of store ${id}`))
      })
    }))
  )
