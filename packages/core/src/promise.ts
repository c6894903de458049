/**
 * The interface for services that do not use Effect: record and list clicks with plain promises.
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
  /** The store for the clicks; by default, the memory of this process. */
  readonly store?: ClickStorePromise.ClickStorePromise
  /** Limits of the recorder; the defaults suit one process of a service. */
  readonly recorder?: Partial<ClickRecorder.ClickRecorderOptions>
}

/** The sender of a click. Omitted fields are stored as null. */
export interface Origin {
  readonly userId?: string
  readonly ipAddress?: string
  readonly userAgent?: string
  /** Clicks with the same key from the same user are stored once; keys do not expire. */
  readonly idempotencyKey?: string
}

type Value = string | number | Date

/** The listing's filters, with the names that they have in the HTTP API. */
export type Filters = { readonly [name in EqualityField]?: string } & {
  readonly from?: Value
  readonly to?: Value
  /** Exclusive, unlike `to`. */
  readonly before?: Value
  /** The time zone of times without an offset; default UTC. */
  readonly tz?: string
}

export interface Clicks {
  /**
   * Records one click. Resolves with the receipt when the outcome is known. If the store is unavailable, the outcome is `dropped`. Rejects
   * with `ClickRejected` if the click breaks a rule.
   */
  readonly record: (click: unknown, origin?: Origin) => Promise<ClickReceipt>
  /** Records many clicks, each validated separately. The results are in order, with a `ClickRejected` for each click that breaks a rule. */
  readonly recordAll: (
    clicks: ReadonlyArray<unknown>,
    origin?: Origin
  ) => Promise<Array<ClickReceipt | ClickRejected>>
  /**
   * One page, newest first, and the exact total. Rejects with `InvalidInput` for an invalid parameter, and with `ClickStoreError` if the
   * store is unavailable.
   */
  readonly list: (
    parameters?: Filters & { readonly limit?: number; readonly offset?: number; readonly cursor?: string }
  ) => Promise<ClickQuery.ClickPage>
  /** All matching clicks, newest first. Throws the errors with which `list` rejects. */
  readonly stream: (filters?: Filters) => AsyncIterable<ClickEvent>
  /** Writes the waiting clicks, then closes. */
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

/** Opens a recorder and a reader of clicks in this process. */
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
