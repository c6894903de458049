import { Context, type Effect } from "effect"
import type { InvalidInput } from "../../values/InvalidInput.ts"
import type { PortError } from "../../values/PortError.ts"
import type { Task } from "../Task.ts"
import type { CrawlSchedule, CrawlScheduleSettings } from "./CrawlSchedule.ts"

/** The crawl schedules of stores. */
export class CrawlSchedules extends Context.Service<
  CrawlSchedules,
  {
    /** All of them, by store id in code point order. */
    readonly list: Effect.Effect<ReadonlyArray<CrawlSchedule>, PortError>
    /** Sets a store's schedule (`applySettings`), or creates it if there is none; then `interval_minutes` is required. */
    readonly put: (
      store_id: string,
      settings: CrawlScheduleSettings
    ) => Effect.Effect<
      { readonly schedule: CrawlSchedule; readonly created: boolean },
      PortError | InvalidInput
    >
    /** Deletes a store's schedule; false when there is none. Queued crawls stay. */
    readonly remove: (store_id: string) => Effect.Effect<boolean, PortError>
    /**
     * Queues a crawl for each schedule that is due and sets when it fires next (`nextRunAt`), both or neither. A store that
     * has an unfinished crawl gets none this time. However many call at once, each schedule fires once. Returns the tasks.
     */
    readonly fireDue: Effect.Effect<ReadonlyArray<Task>, PortError>
  }
>()("@clicks/core/tasks/CrawlSchedules") {}
