import { Context, type Effect } from "effect"
import type { InvalidInput } from "../../values/InvalidInput.ts"
import type { PortError } from "../../values/PortError.ts"
import type { Task } from "../Task.ts"
import type { CrawlSchedule, CrawlScheduleSettings } from "./CrawlSchedule.ts"

/** The crawl schedules of stores. */
export class CrawlSchedules extends Context.Service<
  CrawlSchedules,
  {
    /** All schedules, ordered by store id in code point order. */
    readonly list: Effect.Effect<ReadonlyArray<CrawlSchedule>, PortError>
    /** Creates or updates a store's schedule (`applySettings`). A new schedule requires `interval_minutes`. */
    readonly put: (
      store_id: string,
      settings: CrawlScheduleSettings
    ) => Effect.Effect<
      { readonly schedule: CrawlSchedule; readonly created: boolean },
      PortError | InvalidInput
    >
    /** Deletes a store's schedule. Returns false if there is none. Queued crawls are kept. */
    readonly remove: (store_id: string) => Effect.Effect<boolean, PortError>
    /**
     * Queues a crawl for each schedule that is due, and in the same transaction sets the time of the next one (`nextRunAt`). A store with
     * an unfinished crawl is skipped this time. Each schedule fires once, however many processes call this at once. Returns the tasks.
     */
    readonly fireDue: Effect.Effect<ReadonlyArray<Task>, PortError>
  }
>()("@clicks/core/tasks/CrawlSchedules") {}
