import type { ClickQuery } from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"

export interface Plan {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodes = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const rowsOf = (node: Plan): number =>
  (node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0)) *
  node["Actual Loops"]

/** Every statement that an effect sends. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const result = yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    })
  )
  return [result, sent] as const
})

/** Runs the statements again, with the settings that some of them make, and returns the server's report about the last one. */
const explain = (sent: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        for (const [text, parameters] of sent.slice(0, -1)) yield* sql.unsafe(text, parameters)
        const [text = "", parameters = []] = sent.at(-1) ?? []
        const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
          `explain (analyze, buffers, format json) ${text}`,
          parameters
        )
        return (row?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => nodes(Plan))
      })
    )
  )

/** What the server reads of the table `clicks` for a response, measured with the statements that were actually sent. */
export const readFor = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const [result, sent] = yield* statementsOf(effect)
  const all = yield* explain(sent)
  const limit = all.find((node) => node["Node Type"] === "Limit")
  const read = limit === undefined ? [] : nodes(limit)
  return {
    result,
    /** The number of rows of the table that were read. */
    rows: read
      .filter((node) => node["Relation Name"] === "clicks")
      .reduce((sum, node) => sum + rowsOf(node), 0),
    /** The number of 8 kB pages read from the table and its indexes. */
    blocks: limit === undefined ? 0 : limit["Shared Hit Blocks"] + limit["Shared Read Blocks"],
    indexes: read.flatMap((node) => node["Index Name"] ?? [])
  }
})

/** `readFor` a page of the listing. */
export const readForPage = (query: ClickQuery) => readFor(ClickStore.use((store) => store.list(query)))
