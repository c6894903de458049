import { query } from "../processes/PostgresServer.ts"
import { clickColumns } from "./clickColumns.ts"

const indexed = ["occurred_at", "product_id", "store_id", "campaign_id", "action"]

const createTable = (url: string) =>
  query(
    url,
    `create table plain_clicks (
      id uuid primary key, product_id text not null, action text not null, source text not null,
      store_id text, brand_id text, campaign_id text, dispensary_name text, page_type text, url_path text,
      visitor_city text, visitor_state text, visitor_lat double precision, visitor_lng double precision,
      visitor_id text, session_id text, user_id text, ip_address text, user_agent text, device_type text not null,
      occurred_at timestamptz not null, received_at timestamptz not null, client_occurred_at timestamptz)`
  )

const createIndexes = async (url: string): Promise<void> => {
  for (const column of indexed) await query(url, `create index on plain_clicks (${column})`)
}

/** The usual hand-written table: the columns of `clicks`, five plain indexes, no counts. */
export const createPlainTable = async (url: string): Promise<void> => {
  await createTable(url)
  await createIndexes(url)
}

/** Copies the rows of `clicks` to the plain table. */
export const copyToPlainTable = async (url: string): Promise<void> => {
  await createTable(url)
  await query(url, `insert into plain_clicks select ${clickColumns} from clicks order by occurred_at`)
  await createIndexes(url)
  await query(url, "vacuum analyze plain_clicks")
}
