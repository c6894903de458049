import { withoutSecrets } from "@clicks/core/stores/HttpUrl"
import { Context, Duration, Effect, Layer, Random, Result } from "effect"
import { FetchFailure } from "./FetchFailure.ts"
import * as fetchJson from "./fetchJson.ts"
import { defaultOptions, type JsonFetchOptions } from "./JsonFetchOptions.ts"
import { isWeb } from "./redirects.ts"

/** Fetches JSON from addresses that somebody else wrote down. */
export class JsonFetch extends Context.Service<
  JsonFetch,
  {
    /**
     * The JSON value behind a URL, after at most five redirects. `trustedOrigin` is one that the operator named, and that may
     * therefore lie in a private network.
     */
    readonly get: (url: string, trustedOrigin?: string) => Effect.Effect<unknown, FetchFailure>
  }
>()("@clicks/worker/stores/JsonFetch") {}

const firstPause = 500

// Doubles with each repetition; the chance in it keeps those who failed together from coming back together.
const pauseBefore = (repetition: number): Effect.Effect<number> =>
  Effect.map(Random.next, (chance) => firstPause * 2 ** repetition * (0.5 + chance))

const parseUrl = (text: string): Effect.Effect<URL, FetchFailure> => {
  const url = URL.parse(text)
  return url !== null && isWeb(url)
    ? Effect.succeed(url)
    : new FetchFailure({ message: `${withoutSecrets(text)} is not an http or https URL`, retryable: false })
}

const make = Effect.fnUntraced(function* (options: JsonFetchOptions) {
  const attempt = yield* fetchJson.make(options)
  const maxRetryAfter = Duration.toMillis(Duration.fromInputUnsafe(options.maxRetryAfter))

  // Fails with the failure itself when there is to be no repetition.
  const pause = Effect.fnUntraced(function* (failure: FetchFailure, repetition: number) {
    const { retryable, retryAfter = 0 } = failure
    if (!retryable || repetition >= options.retries || retryAfter > maxRetryAfter) return yield* failure
    yield* Effect.sleep(Math.max(retryAfter, yield* pauseBefore(repetition)))
  })

  const get = Effect.fn("JsonFetch.get")(function* (text: string, trustedOrigin?: string) {
    const url = yield* parseUrl(text)
    for (let repetition = 0; ; repetition++) {
      const result = yield* Effect.result(attempt(url, trustedOrigin))
      if (Result.isSuccess(result)) return result.success
      yield* pause(result.failure, repetition)
    }
  })

  return JsonFetch.of({ get })
})

/** Fetches with limits of one's own. */
export const layerWith = (options: Partial<JsonFetchOptions>): Layer.Layer<JsonFetch> =>
  Layer.effect(JsonFetch, make({ ...defaultOptions, ...options }))

/** Fetches from the public internet only. */
export const layer: Layer.Layer<JsonFetch> = layerWith({})
