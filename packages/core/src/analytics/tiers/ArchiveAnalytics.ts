import { Context } from "effect"
import type { ClickEvent } from "../../clicks/ClickEvent.ts"
import type { Cut } from "../../clicks/tiers/Cut.ts"
import type { ClickAnalytics } from "../ClickAnalytics.ts"

/**
 * Counts both tiers, in the archive. Visitors cannot be added up across tiers, so the archive gets the hot clicks with each
 * query and counts the union. Fails with the reason `HistoryUnavailable` when the archive cannot be reached or is too slow.
 */
export class ArchiveAnalytics extends Context.Service<
  ArchiveAnalytics,
  {
    /** Analytics of the clicks that the cut takes from the archive, and of `hot`: at most `maxHotClicks` other clicks. */
    readonly over: (cut: Cut, hot: ReadonlyArray<ClickEvent>) => ClickAnalytics["Service"]
  }
>()("@clicks/core/analytics/ArchiveAnalytics") {}
