import * as Uuid from "../values/Uuid.ts"
import type { CrawlSchedule } from "./CrawlSchedule.ts"
import { storeCrawl } from "./storeKinds.ts"
import { defaultMaxAttempts, type NewTask } from "./Task.ts"

/** The task that a schedule queues when it fires. */
export const crawlTask = ({ priority, store_id }: CrawlSchedule, now: Date): NewTask => ({
  id: Uuid.make(now.getTime()),
  kind: storeCrawl.name,
  payload: { store_id },
  priority,
  run_at: null,
  max_attempts: defaultMaxAttempts,
  batch_id: null
})

/** Whether the task crawls this store. */
export const isCrawlOf = (task: Pick<NewTask, "kind" | "payload">, store_id: string): boolean => {
  const { kind, payload } = task
  return (
    kind === storeCrawl.name &&
    typeof payload === "object" &&
    payload !== null &&
    "store_id" in payload &&
    payload["store_id"] === store_id
  )
}
