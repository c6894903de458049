/**
 * The front door for services that do not use Effect: record and list clicks with plain promises.
 *
 * ```ts
 * const clicks = openClicks({ store })
 * const { id, outcome } = await clicks.record({ product_id: "p-1", action: "view", source: "web" })
 * const page = await clicks.list({ product_id: "p-1", limit: 20 })
 * await clicks.close()
 * ```
 */
import { Effect, Layer, ManagedRuntime, Result, Stream } from "effect"
import type { ClickEvent } from "./clicks/ClickEvent.ts"
import type { EqualityField } from "./clicks/ClickFilter.ts"
import type { ClickRejected } from "./clicks/ClickInput.ts"
import * as ClickQuery from "./clicks/ClickQuery.ts"
import { ClickStore } from "./clicks/ClickStore.ts"
import * as ClickStoreMemory from "./clicks/ClickStoreMemory.ts"
import * as ClickStorePromise from "./clicks/ClickStorePromise.ts"
import type { ClickReceipt } from "./clicks/recording/ClickReceipt.ts"
import * as ClickRecorder from "./clicks/recording/ClickRecorder.ts"
import { idOfKey, keyInBatch } from "./clicks/recording/ClickSubmission.ts"
import * as QuarantineMemory from "./clicks/recording/QuarantineMemory.ts"
import type { QueryParameters } from "./values/QueryParameters.ts"

export type { ClickEvent } from "./clicks/ClickEvent.ts"
export { ClickRejected } from "./clicks/ClickInput.ts"
export type { ClickPage } from "./clicks/ClickQuery.ts"
export { BatchRefused, type ClickStorePromise } from "./clicks/ClickStorePromise.ts"
export type { ClickReceipt } from "./clicks/recording/ClickReceipt.ts"
export { InvalidInput } from "./values/InvalidInput.ts"

export interface OpenOptions {
  /** Where the clicks are kept; without it, this process's memory. */
  readonly store?: ClickStorePromise.ClickStorePromise
  /** Limits of the recorder; the defaults suit one process of a service. */
  readonly recorder?: Partial<ClickRecorder.ClickRecorderOptions>
}

/** Where a click comes from. What is left out is null in the record. */
export interface Origin {
  readonly userId?: string
  readonly ipAddress?: string
  readonly userAgent?: string
  /** The same key from the same user is stored once, for ever. */
  readonly idempotencyKey?: string
}

type Value = string | number | Date

/** The listing's filters, by the names that the HTTP API gives them. */
export type Filters = { readonly [name in EqualityField]?: string } & {
  readonly from?: Value
  readonly to?: Value
  /** Exclusive, where `to` is inclusive. */
  readonly before?: Value
  /** Time zone of times without an offset; UTC when it is absent. */
  readonly tz?: string
}

export interface Clicks {
  /**
   * Records one click. Resolves when its fate is known (`ClickReceipt.outcome`); a store that is away gives `dropped`, not a
   * rejection. Rejects with `ClickRejected` when the click breaks a rule.
   */
  readonly record: (click: unknown, origin?: Origin) => Promise<ClickReceipt>
  /** Records many, each judged alone: the answers are in order, a `ClickRejected` for each that breaks a rule. */
  readonly recordAll: (
    clicks: ReadonlyArray<unknown>,
    origin?: Origin
  ) => Promise<Array<ClickReceipt | ClickRejected>>
  /**
   * One page, newest first, and the exact total. Rejects with `InvalidInput` for an invalid parameter
   * and with `ClickStoreError` when the store is away.
   */
  readonly list: (
    parameters?: Filters & { readonly limit?: number; readonly offset?: number; readonly cursor?: string }
  ) => Promise<ClickQuery.ClickPage>
  /** Every click that matches, newest first. Throws what `list` rejects with. */
  readonly stream: (filters?: Filters) => AsyncIterable<ClickEvent>
  /** Writes what is in hand, then ends. */
  readonly close: () => Promise<void>
}

const asParameters = (values: Readonly<Record<string, Value | undefined>>): QueryParameters =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value?.toString()
    ])
  )

const asSubmission = (body: unknown, origin: Origin, key: string | undefined) => {
  const { ipAddress = null, userAgent = null, userId = null } = origin
  const submission = { body, origin: { userId, ipAddress, userAgent } }
  return key === undefined
    ? Effect.succeed(submission)
    : Effect.map(idOfKey(userId, key), (id) => ({ ...submission, id }))
}

/** Opens the click service inside this process. */
export const openClicks = (options: OpenOptions = {}): Clicks => {
  const store = options.store === undefined ? ClickStoreMemory.layer : ClickStorePromise.layer(options.store)
  const runtime = ManagedRuntime.make(
    ClickRecorder.layerWith(options.recorder ?? {}).pipe(
      Layer.provideMerge(store),
      Layer.provideMerge(QuarantineMemory.layer)
    )
  )
  return {
    record: (click, origin = {}) =>
      runtime.runPromise(
        ClickRecorder.ClickRecorder.use(({ record }) =>
          Effect.flatMap(asSubmission(click, origin, origin.idempotencyKey), record)
        )
      ),
    recordAll: (clicks, { idempotencyKey: key, ...origin } = {}) =>
      runtime.runPromise(
        ClickRecorder.ClickRecorder.use(({ recordAll }) =>
          Effect.forEach(clicks, (click, index) =>
            asSubmission(click, origin, key === undefined ? undefined : keyInBatch(key, index))
          ).pipe(Effect.flatMap(recordAll))
        ).pipe(Effect.map((results) => results.map(Result.merge)))
      ),
    list: (parameters = {}) =>
      runtime.runPromise(
        Effect.fromResult(ClickQuery.parse(asParameters(parameters))).pipe(
          Effect.flatMap((query) => ClickStore.use((clicks) => clicks.list(query)))
        )
      ),
    stream: (filters = {}) =>
      Stream.toAsyncIterable(
        Stream.unwrap(
          Effect.gen(function* () {
            const filter = yield* Effect.fromResult(ClickQuery.parseFilter(asParameters(filters)))
            const clicks = yield* ClickStore
            return clicks.stream(filter)
          })
        ).pipe(Stream.provide(Layer.effectContext(runtime.contextEffect)))
      ),
    close: () => runtime.dispose()
  }
}
