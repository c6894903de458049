import { MenuSource, MenuSourceError } from "@clicks/core/stores/MenuSource"
import type { Store } from "@clicks/core/stores/Store"
import { Effect, Layer } from "effect"
import { JsonFetch } from "./JsonFetch.ts"

const make = Effect.gen(function* () {
  const fetch = yield* JsonFetch

  const menu = Effect.fn("MenuSource.menu")(function* ({ id, menu_url }: Store) {
    if (menu_url === null) {
      return yield* new MenuSourceError({ message: `Store ${id} has no menu_url`, retryable: false })
    }
    return yield* fetch.get(menu_url).pipe(
      Effect.mapError(
        ({ cause, message, retryable }) =>
          new MenuSourceError({
            message: `The menu of store ${id}: ${message}`,
            retryable,
            ...(cause !== undefined && { cause })
          })
      )
    )
  })

  return MenuSource.of({ menu })
})

/** Fetches each store's menu from its `menu_url`, which is not trusted. */
export const layer: Layer.Layer<MenuSource, never, JsonFetch> = Layer.effect(MenuSource, make)
