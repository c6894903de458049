import type { MenuSource } from "@clicks/core/stores/MenuSource"
import type { StoreDirectory } from "@clicks/core/stores/StoreDirectory"
import { Layer, type Option } from "effect"
import * as HttpMenuSource from "./HttpMenuSource.ts"
import * as HttpStoreDirectory from "./HttpStoreDirectory.ts"
import * as JsonFetch from "./JsonFetch.ts"
import type { JsonFetchOptions } from "./JsonFetchOptions.ts"

export interface WebSourcesOptions extends Partial<JsonFetchOptions> {
  /** A URL with `{state}` in it. */
  readonly directoryUrl: Option.Option<string>
}

/** The store directory and the menus, from the web, with one pace for each host. */
export const layer = ({
  directoryUrl,
  ...options
}: WebSourcesOptions): Layer.Layer<MenuSource | StoreDirectory> =>
  Layer.merge(HttpMenuSource.layer, HttpStoreDirectory.layer(directoryUrl)).pipe(
    Layer.provide(JsonFetch.layerWith(options))
  )
