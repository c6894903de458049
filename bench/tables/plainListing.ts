import type { Client } from "pg"
import { equalityFields } from "../../packages/core/src/clicks/ClickFilter.ts"
import type { ClickQuery } from "../../packages/core/src/clicks/ClickQuery.ts"
import { clickColumns } from "./clickColumns.ts"

/** The usual hand-written listing: a count, then a page by LIMIT and OFFSET. Returns the total. */
export const listPlain = async (client: Client, { filter, limit, offset }: ClickQuery): Promise<number> => {
  const values: Array<unknown> = []
  const conditions = ["true"]
  const add = (column: string, operator: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${column} ${operator} $${values.length}`)
  }
  for (const field of equalityFields) add(field, "=", filter[field])
  add("occurred_at", ">=", filter.from)
  add("occurred_at", "<=", filter.to)
  const where = conditions.join(" and ")
  const counted = await client.query(`select count(*)::int as total from plain_clicks where ${where}`, values)
  await client.query(
    `select ${clickColumns} from plain_clicks where ${where} order by occurred_at desc limit ${limit} offset ${offset}`,
    values
  )
  return counted.rows[0].total
}
