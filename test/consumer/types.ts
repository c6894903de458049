import { connect as connectPage, type Clicks as PageClicks } from "@clicks/browser"
import { captureClicks } from "@clicks/browser/capture"
import { matches } from "@clicks/core/clicks/ClickFilter"
import type { ClickStore } from "@clicks/core/clicks/ClickStore"
import { type Clicks, openClicks } from "@clicks/core/promise"
import type { ClickStoreContract } from "@clicks/core/testing"
import { type Client, connect } from "@clicks/http/client"
import { Unauthorized } from "@clicks/http/errors"
import * as ClickStoreSql from "@clicks/sql-adapter/clicks/ClickStoreSql"
import * as TaskWorker from "@clicks/worker/tasks/TaskWorker"
import type { Layer } from "effect"

export const page = (): PageClicks => connectPage("https://clicks.example", { consent: "ask" })
export const capture = (): void => captureClicks(page().record)
export const clicks: Clicks = openClicks()
export const client: Client = connect({ baseUrl: "https://clicks.example" })
export const store: Layer.Layer<ClickStore, unknown, never> | typeof ClickStoreSql.layer = ClickStoreSql.layer
export const worker = TaskWorker.layer
export const isMatch: boolean = matches({}, (await clicks.list()).events[0] as never)

const recorded = await client.recording.record({
  payload: { product_id: "p-1", action: "view", source: "web" }
})
export const receipt: "stored" | "spooled" | "duplicate" | "dropped" = recorded.headers["click-receipt"]
export const days: ReadonlyArray<Date> = (await client.listing.list()).events.map(
  (event) => event.occurred_at
)
export const isUnauthorized = (error: unknown) => error instanceof Unauthorized && error.error

export type Suite = typeof ClickStoreContract.suite

// @ts-expect-error: a click needs a source
client.recording.record({ payload: { product_id: "p-1", action: "view" } })
// @ts-expect-error: not exported
import("@clicks/core/clicks/recording/GroupCommit")
