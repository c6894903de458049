import { StoreDirectory, StoreDirectoryError } from "@clicks/core/stores/StoreDirectory"
import type { UsState } from "@clicks/core/stores/UsState"
import { Effect, Layer, Option } from "effect"
import { JsonFetch } from "./JsonFetch.ts"

const notConfigured = new StoreDirectoryError({
  message:
    "No store directory is configured: set CLICKS_DISCOVERY_URL to its address, with {state} where the state's two letters go",
  retryable: false
})

const fetchStores = Effect.fnUntraced(function* (template: string, state: UsState) {
  const fetch = yield* JsonFetch
  const url = template.replaceAll("{state}", state)
  // The operator chose this host, so it may be in the operator's own network. Where it redirects to is another matter.
  return yield* fetch.get(url, URL.parse(url)?.origin).pipe(
    Effect.mapError(
      ({ cause, message, retryable }) =>
        new StoreDirectoryError({
          message: `The store directory: ${message}`,
          retryable,
          ...(cause !== undefined && { cause })
        })
    )
  )
})

/** Asks the directory at `template`, a URL with `{state}` in it. Without one every question fails and says what to configure. */
export const layer = (template: Option.Option<string>): Layer.Layer<StoreDirectory, never, JsonFetch> =>
  Layer.effect(
    StoreDirectory,
    Effect.map(Effect.context<JsonFetch>(), (context) => ({
      stores: (state) =>
        Option.match(template, {
          onNone: () => Effect.fail(notConfigured),
          onSome: (url) => Effect.provide(fetchStores(url, state), context)
        })
    }))
  )
