import { join } from "node:path"
import { Effect } from "effect"
import { Spool, type SpooledClick } from "../../packages/core/src/clicks/recording/spool/Spool.ts"
import * as Uuid from "../../packages/core/src/values/Uuid.ts"
import * as SpoolLog from "../../packages/sql-adapter/src/clicks/SpoolLog.ts"
import { clickBodies } from "../load/clickRequests.ts"

const spooledClick = (n: number): SpooledClick => {
  const now = new Date()
  return {
    event: {
      ...JSON.parse(clickBodies[n % clickBodies.length] ?? "{}"),
      id: Uuid.make(now.getTime()),
      event_type: "product_click",
      visitor_id: null,
      session_id: null,
      user_id: null,
      ip_address: "203.0.113.9",
      user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      device_type: "desktop",
      occurred_at: now,
      received_at: now,
      client_occurred_at: null
    },
    quarantined: null
  }
}

const batch = 1000

/** Adds clicks to the spool of a data folder, as a service does while its database is unavailable. */
export const fillSpool = (dataDir: string, clicks: number): Promise<void> =>
  Spool.use((spool) =>
    Effect.forEach(
      Array.from({ length: clicks / batch }),
      () => spool.append(Array.from({ length: batch }, (_, n) => spooledClick(n))),
      { discard: true }
    )
  ).pipe(
    Effect.provide(SpoolLog.layer({ directory: join(dataDir, "spool"), maxBytes: 2 ** 30 })),
    Effect.runPromise
  )
