import { Context } from "effect"
import type { ClickEvent } from "../../clicks/ClickEvent.ts"
import type { Cut } from "../../clicks/tiers/Cut.ts"
import type { ClickAnalytics } from "../ClickAnalytics.ts"

/**
 * Counts both tiers in the archive. Numbers of visitors cannot be added across tiers, so the archive receives the hot clicks with each
 * query and counts both together. Fails with the reason `HistoryUnavailable` if the archive cannot be reached or is too slow.
 */
export class ArchiveAnalytics extends Context.Service<
  ArchiveAnalytics,
  {
    /** Analytics of the clicks of the cut that are in the archive, together with `hot`, at most `maxHotClicks` other clicks. */
    readonly over: (cut: Cut, hot: ReadonlyArray<ClickEvent>) => ClickAnalytics["Service"]
  }
>()("@clicks/core/analytics/ArchiveAnalytics") {}
