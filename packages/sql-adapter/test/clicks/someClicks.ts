import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { Stream } from "effect"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"

/** A click of 1 kB; fields may have values that their types do not allow. */
export const click = (fields: object = {}): ClickEvent => {
  const now = new Date()
  const times = { id: Uuid.make(now.getTime()), occurred_at: now, received_at: now }
  return plainClick({ ...times, source: "web", url_path: "/".repeat(1000), ...fields })
}

export const insert = (...batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
/** The newest click, and the total. */
export const list = ClickStore.use((store) => store.list({ filter: {}, limit: 1, offset: 0 }))
/** All clicks. */
export const stream = Stream.unwrap(ClickStore.useSync((store) => store.stream({})))
