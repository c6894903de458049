import { MenuSource, MenuSourceError } from "@clicks/core/stores/MenuSource"
import { StoreDirectory, StoreDirectoryError } from "@clicks/core/stores/StoreDirectory"
import { Context, Effect, Layer, Option } from "effect"
import type { FetchFailure } from "./FetchFailure.ts"
import * as JsonFetch from "./JsonFetch.ts"

export interface WebSourcesOptions extends Partial<JsonFetch.JsonFetchOptions> {
  /** A URL with `{state}` in it. */
  readonly directoryUrl: Option.Option<string>
}

const notConfigured = new StoreDirectoryError({
  message:
    "No store directory is configured: set CLICKS_DISCOVERY_URL to its address, with {state} where the state's two letters go",
  retryable: false
})

const describe = (source: string, { cause, message, retryable }: FetchFailure) => ({
  message: `${source}: ${message}`,
  retryable,
  ...(cause !== undefined && { cause })
})

/** Menus from each store's `menu_url`, which is not trusted. */
const menus = (fetch: JsonFetch.JsonFetch) =>
  MenuSource.of({
    menu: Effect.fn("MenuSource.menu")(function* ({ id, menu_url }) {
      if (menu_url === null) {
        return yield* new MenuSourceError({ message: `Store ${id} has no menu_url`, retryable: false })
      }
      return yield* fetch(menu_url).pipe(
        Effect.mapError((failure) => new MenuSourceError(describe(`The menu of store ${id}`, failure)))
      )
    })
  })

/** Stores from the directory. The operator chose its host, so that may be in a private network; its redirects may not. */
const directory = (fetch: JsonFetch.JsonFetch, template: Option.Option<string>) =>
  StoreDirectory.of({
    stores: Effect.fn("StoreDirectory.stores")(function* (state) {
      if (Option.isNone(template)) return yield* notConfigured
      const url = template.value.replaceAll("{state}", state)
      return yield* fetch(url, URL.parse(url)?.origin).pipe(
        Effect.mapError((failure) => new StoreDirectoryError(describe("The store directory", failure)))
      )
    })
  })

/** The store directory and the menus, from the web. They share the pace for each host. */
export const layer = ({
  directoryUrl,
  ...options
}: WebSourcesOptions): Layer.Layer<MenuSource | StoreDirectory> =>
  Layer.effectContext(
    Effect.map(JsonFetch.make(options), (fetch) =>
      Context.make(MenuSource, menus(fetch)).pipe(Context.add(StoreDirectory, directory(fetch, directoryUrl)))
    )
  )
