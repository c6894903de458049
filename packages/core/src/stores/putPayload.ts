import { Clock, Effect, Predicate, Result, Schema } from "effect"
import { instant, parseInstant } from "../values/Instant.ts"
import { InvalidInput, invalid, within } from "../values/InvalidInput.ts"
import { RejectedEntry } from "./ForeignJson.ts"
import { ProductInput, readMenu } from "./ProductInput.ts"
import { StoreId, storeIdProblem } from "./Store.ts"
import { StorePayloads } from "./StorePayloads.ts"
import { Stores } from "./Stores.ts"

/** The body of a PUT. The schema documents it; `readMenu` validates the products. */
export const StorePayloadInput = Schema.Struct({
  products: Schema.Array(ProductInput),
  fetched_at: Schema.optionalKey(
    Schema.String.annotate({ description: "ISO 8601; default: the time of receipt", format: "date-time" })
  )
}).annotate({ identifier: "StorePayloadInput" })

/** The outcome of a PUT. */
export const PutReceipt = Schema.Struct({
  store_id: StoreId,
  fetched_at: instant("When the products were fetched"),
  total: Schema.Int.annotate({ description: "Stored products" }),
  rejected: Schema.Int.annotate({ description: "Rejected products" }),
  errors: Schema.Array(RejectedEntry.annotate({ identifier: "RejectedProduct" })).annotate({
    description: "Errors of the first 100 rejected products"
  })
}).annotate({ identifier: "PutReceipt" })
export interface PutReceipt extends Schema.Schema.Type<typeof PutReceipt> {}

const readFetchedAt = (value: unknown): Result.Result<Date | undefined, InvalidInput> => {
  if (value === undefined || value === null || value === "") return Result.succeed(undefined)
  const parsed = typeof value === "string" ? parseInstant(value) : undefined
  return parsed === undefined
    ? invalid("fetched_at must be an ISO 8601 date-time, such as 2026-11-20T10:00:00Z")
    : Result.succeed(parsed)
}

const readPayload = (body: unknown) =>
  Result.gen(function* () {
    if (!Predicate.isObject(body)) {
      return yield* invalid("The payload must be a JSON object with an array of products")
    }
    const { products } = body
    if (!Array.isArray(products)) return yield* invalid("products is required and must be an array")
    const given = yield* readFetchedAt(body["fetched_at"])
    return { given, ...(yield* within((message) => `products ${message}`)(readMenu(products))) }
  })

/**
 * Replaces a store's products with those of a payload, `{products, fetched_at?}`, and creates the store if needed. If the payload is
 * invalid, fails with `InvalidInput` and a message for the sender, and keeps the old products.
 */
export const putPayload = Effect.fn("putPayload")(function* (store_id: string, body: unknown) {
  const problem = storeIdProblem(store_id)
  if (problem !== undefined) return yield* new InvalidInput({ message: `The store's id ${problem}` })
  const { errors, given, read, rejected } = yield* Effect.fromResult(readPayload(body))
  const fetched_at = given ?? new Date(yield* Clock.currentTimeMillis)
  const payloads = yield* StorePayloads
  const replace = payloads.replace({ store_id, fetched_at, products: read })
  const saveStore = Stores.use((stores) =>
    stores.save([{ id: store_id, name: null, state: null, menu_url: null }])
  )
  yield* replace.pipe(
    Effect.catchTag("UnknownStore", () => Effect.andThen(saveStore, replace)),
    Effect.catchTag("UnknownStore", Effect.die)
  )
  const receipt: PutReceipt = { store_id, fetched_at, total: read.length, rejected, errors }
  return receipt
})
