/**
 * A service written without Effect that records and lists clicks in its own store, here a `Map`.
 */

import { compareListing } from "@clicks/core/clicks/ClickEvent"
import { matches } from "@clicks/core/clicks/ClickFilter"
import { type ClickEvent, type ClickStorePromise, openClicks } from "@clicks/core/promise"

/** The two methods that a store needs. A real store would use your database. */
export const mapStore = (): ClickStorePromise => {
  const kept = new Map<string, ClickEvent>()
  return {
    // Each id is stored once, in its first form, even if a batch has it twice.
    insert: async (batch) => {
      const added: Array<string> = []
      for (const event of batch) {
        if (kept.has(event.id)) continue
        kept.set(event.id, event)
        added.push(event.id)
      }
      return added
    },
    list: async ({ after, filter, limit, offset }) => {
      const found = Array.from(kept.values())
        .filter((event) => matches(filter, event))
        .sort(compareListing)
      const rest = after === undefined ? found : found.filter((event) => compareListing(after, event) < 0)
      return { events: rest.slice(offset, offset + limit + 1), total: found.length }
    }
  }
}

export const main = async () => {
  const clicks = openClicks({ store: mapStore() })

  const click = { product_id: "p-1001", action: "view", source: "kiosk", campaign_id: "spring-sale" }
  const receipt = await clicks.record(click, { userId: "u-5", userAgent: "Mozilla/5.0 (iPad)" })
  console.log(`${receipt.outcome} as ${receipt.id}`)

  // An invalid click rejects the promise. The error's message is for the sender of the click.
  await clicks
    .record({ ...click, action: "buy" })
    .catch((error: Error) => console.log(`refused: ${error.message}`))

  const page = await clicks.list({ campaign_id: "spring-sale", from: new Date("2026-01-01"), limit: 10 })
  console.log(`${page.total} in all, from a ${page.events[0]?.device_type}`)

  await clicks.close()
  return page
}

if (import.meta.main) await main()
