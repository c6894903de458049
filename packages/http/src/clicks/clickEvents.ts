import type { FeedFormat } from "@clicks/core/clicks/feed/ClickLog"
import * as ClickJson from "./ClickJson.ts"

// Clients reconnect after 2 seconds. The id alone is no event for them, but what they send back if they get no other.
/** What a stream of server-sent events begins with. */
export const firstLines = (position: string): Uint8Array => Buffer.from(`retry: 2000\nid: ${position}\n\n`)

/** Clicks as server-sent events. */
export const clickEvents: FeedFormat = {
  position: (position) => Buffer.from(`id: ${position}\n`),
  click: (click) => Buffer.from(`event: click\ndata: ${ClickJson.text(click)}\n\n`),
  heartbeat: (position) => Buffer.from(`: heartbeat\nid: ${position}\n\n`)
}
