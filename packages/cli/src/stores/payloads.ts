import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { type PutReceipt, putPayload } from "@clicks/core/stores/putPayload"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Effect } from "effect"
import { CommandFailed, type ExitCode, exitCodes, orUsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped, toMinute } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { readPayloadFile } from "./PayloadFile.ts"
import { type ProductOptions, toProductParameters } from "./ProductOptions.ts"
import { groupTable, productTable } from "./productTables.ts"

interface Format {
  readonly json: boolean
}

export interface QueryOptions extends ProductOptions, Format {
  readonly sort?: string
  readonly order?: string
  readonly limit?: string
  readonly offset?: string
}

export interface AggregateOptions extends ProductOptions, Format {
  readonly groupBy: string
}

const shownErrors = 10

const tellReceipt = Effect.fnUntraced(function* ({ errors, rejected, store_id, total }: PutReceipt) {
  yield* Output.note(`Store ${store_id} now has ${countOf(total, "product")}`)
  if (rejected === 0) return
  yield* Output.note(`Rejected: ${grouped(rejected)}`)
  for (const { error, index } of errors.slice(0, shownErrors))
    yield* Output.note(`  entry ${index}: ${error}`)
  if (rejected > shownErrors) yield* Output.note("  …")
})

/** `clicks payloads put`. */
export const putProducts = Effect.fn("putProducts")(function* (
  store: string,
  path: string,
  { json }: Format
) {
  const payload = yield* readPayloadFile(path)
  const receipt = yield* putPayload(store, payload).pipe(
    Effect.catchTag("InvalidInput", (error) => Effect.fail(new CommandFailed({ message: error.message }))),
    Effect.provide(Database.layer)
  )
  if (json) yield* Output.json(receipt)
  else yield* tellReceipt(receipt)
  const code: ExitCode = receipt.rejected > 0 ? exitCodes.someRejected : exitCodes.done
  return code
})

const fetchedAt = (instant: Date | null): string =>
  instant === null ? "never fetched" : `fetched ${toMinute(instant)}`

/** `clicks payloads query`: one page of a store's products. */
export const queryProducts = Effect.fn("queryProducts")(function* (store: string, options: QueryOptions) {
  const { json, limit, offset, order, sort } = options
  const parameters = { ...toProductParameters(options), sort, order, limit, offset }
  const query = yield* orUsageError(ProductQuery.parse(parameters))
  const page = yield* StorePayloads.use((payloads) => payloads.query(store, query)).pipe(
    Effect.provide(Database.layer)
  )
  if (json) {
    yield* Output.json(page)
    return exitCodes.done
  }
  if (page.products.length > 0) yield* Output.line(productTable(page.products, Output.width()))
  const shown = `${grouped(page.products.length)} of ${countOf(page.total, "product")}`
  yield* Output.footer(`${shown}, ${fetchedAt(page.fetched_at)}`)
  return exitCodes.done
})

/** `clicks payloads aggregate`: a store's products by brand or category. */
export const aggregateProducts = Effect.fn("aggregateProducts")(function* (
  store: string,
  options: AggregateOptions
) {
  const parameters = { ...toProductParameters(options), group_by: options.groupBy }
  const query = yield* orUsageError(ProductAggregate.parse(parameters))
  const aggregate = yield* StorePayloads.use((payloads) => payloads.aggregate(store, query)).pipe(
    Effect.provide(Database.layer)
  )
  if (options.json) {
    yield* Output.json(aggregate)
    return exitCodes.done
  }
  const { group_by, groups, total } = aggregate
  if (groups.length > 0) yield* Output.line(groupTable(group_by, groups, Output.width()))
  yield* Output.footer(`${countOf(groups.length, "group")} of ${countOf(total, "product")}`)
  return exitCodes.done
})
