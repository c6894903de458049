import { randomUUID } from "node:crypto"
import { Pool } from "pg"

const insert = `
  insert into plain_clicks (id, product_id, action, source, store_id, brand_id, campaign_id, dispensary_name, page_type, url_path,
    visitor_city, visitor_state, visitor_lat, visitor_lng, user_id, ip_address, user_agent, device_type, occurred_at, received_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`

const actions = ["view", "open_store", "open_product", "compare", "other"]

/** A click without a required field. */
export class InvalidClick extends Error {}

/** A typical hand-written service: a few checks and one prepared insert per request, through a pool of the default size. */
export const makeInsertClick = (connectionString: string | undefined) => {
  const pool = new Pool({ connectionString })
  return async (body: unknown, ip: string | undefined, userAgent: string | undefined): Promise<void> => {
    const click = (body ?? {}) as Record<string, unknown>
    if (!click["product_id"]) throw new InvalidClick("product_id is required")
    if (!actions.includes(String(click["action"]))) throw new InvalidClick("action is not known")
    if (!click["source"]) throw new InvalidClick("source is required")
    const now = new Date()
    const values = [
      randomUUID(),
      click["product_id"],
      click["action"],
      click["source"],
      click["store_id"] || null,
      click["brand_id"] || null,
      click["campaign_id"] || null,
      click["dispensary_name"] || null,
      click["page_type"] || null,
      click["url_path"] || null,
      click["visitor_city"] || null,
      click["visitor_state"] || null,
      click["visitor_lat"] || null,
      click["visitor_lng"] || null,
      null,
      ip ?? null,
      userAgent ?? null,
      /mobile/i.test(userAgent ?? "") ? "mobile" : "desktop",
      click["occurred_at"] || now,
      now
    ]
    await pool.query({ name: "insert", text: insert, values })
  }
}
