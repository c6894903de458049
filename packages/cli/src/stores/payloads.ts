import { buffer } from "node:stream/consumers"
import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { type PutReceipt, putPayload } from "@clicks/core/stores/putPayload"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Effect } from "effect"
import { CommandFailed, exitCodes, orUsageError, toParameters } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { openInput } from "../files/InputFile.ts"
import { countOf, grouped, toMinute } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { groupColumns, productColumns } from "./productTables.ts"

/** Reads a payload from a file, or from standard input with `-`. An array of products is a payload without `fetched_at`. */
const readPayloadFile = Effect.fnUntraced(function* (path: string) {
  const { chunks, damage, name } = yield* openInput(path, () => true)
  const bytes = yield* Effect.promise(() => buffer(chunks))
  const reason = damage()
  if (reason !== undefined) return yield* new CommandFailed({ message: `${name}: ${reason}` })
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    catch: () => new CommandFailed({ message: `${name} is not JSON` })
  })
  return Array.isArray(value) ? { products: value } : value
}, Effect.scoped)

const maxShownErrors = 10

const showReceipt = Effect.fnUntraced(function* ({ errors, rejected, store_id, total }: PutReceipt) {
  yield* Output.note(`Store ${store_id} now has ${countOf(total, "product")}`)
  if (rejected === 0) return
  yield* Output.note(`Rejected: ${grouped(rejected)}`)
  for (const { error, index } of errors.slice(0, maxShownErrors))
    yield* Output.note(`  entry ${index}: ${error}`)
  if (rejected > maxShownErrors) yield* Output.note("  …")
})

/** `clicks payloads put`. */
export const putProducts = Effect.fn("putProducts")(function* (
  store: string,
  path: string,
  { json }: Output.Format
) {
  const payload = yield* readPayloadFile(path)
  const receipt = yield* putPayload(store, payload).pipe(
    Effect.catchTag("InvalidInput", (error) => Effect.fail(new CommandFailed({ message: error.message }))),
    Effect.provide(Database.layer)
  )
  yield* json ? Output.json(receipt) : showReceipt(receipt)
  return receipt.rejected > 0 ? exitCodes.someRejected : exitCodes.done
})

const fetchedText = (instant: Date | null): string =>
  instant === null ? "never fetched" : `fetched ${toMinute(instant)}`

/** `clicks payloads query`: one page of a store's products. */
export const queryProducts = Effect.fn("queryProducts")(function* (store: string, options: Output.Format) {
  const query = yield* orUsageError(ProductQuery.parse(toParameters(options)))
  const page = yield* StorePayloads.use((payloads) => payloads.query(store, query)).pipe(
    Effect.provide(Database.layer)
  )
  const count = `${grouped(page.products.length)} of ${countOf(page.total, "product")}`
  const footer = `${count}, ${fetchedText(page.fetched_at)}`
  yield* Output.list(options, page, productColumns, page.products, footer)
})

/** `clicks payloads aggregate`: a store's products by brand or category. */
export const aggregateProducts = Effect.fn("aggregateProducts")(function* (
  store: string,
  options: Output.Format
) {
  const query = yield* orUsageError(ProductAggregate.parse(toParameters(options)))
  const aggregate = yield* StorePayloads.use((payloads) => payloads.aggregate(store, query)).pipe(
    Effect.provide(Database.layer)
  )
  const { group_by, groups, total } = aggregate
  const footer = `${countOf(groups.length, "group")} of ${countOf(total, "product")}`
  yield* Output.list(options, aggregate, groupColumns(group_by), groups, footer)
})
