import { type PostgresServer, query } from "../processes/PostgresServer.ts"
import { ServerProcess } from "../processes/ServerProcess.ts"
import type { Received, Tracker } from "./Tracker.ts"

/** The script of `@clicks/browser`, on `clicks serve` and PostgreSQL. */
export const clicks = async (
  postgres: PostgresServer
): Promise<Tracker & { readonly stop: () => Promise<void> }> => {
  const database = await postgres.createMigrated("bench_sdk")
  const server = await ServerProcess.clicks(database)
  return {
    name: "Clicks",
    service: server.url,
    head: (origin) =>
      `<script src="${origin}/clicks.v1.js"></script>
       <script>send = (product_id, store_id) => clicks.record({ product_id, store_id, action: "open_product" })</script>`,
    received: () =>
      query<Received & Record<string, unknown>>(
        database,
        "select product_id as id, store_id as store from clicks"
      ),
    stop: () => server.stop()
  }
}
