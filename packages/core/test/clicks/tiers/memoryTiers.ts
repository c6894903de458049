import { Layer } from "effect"
import * as ArchiveAnalyticsMemory from "../../contract/analytics/ArchiveAnalyticsMemory.ts"
import * as ClickAnalyticsMemory from "../../contract/analytics/ClickAnalyticsMemory.ts"
import * as ClickArchiveMemory from "../../contract/clicks/tiers/ClickArchiveMemory.ts"
import * as HotClicksMemory from "../../contract/clicks/tiers/HotClicksMemory.ts"

/** Both tiers in memory. */
export const memoryTiers = Layer.merge(
  Layer.provideMerge(ClickAnalyticsMemory.layer, HotClicksMemory.layer),
  Layer.provideMerge(ArchiveAnalyticsMemory.layer, ClickArchiveMemory.layer)
)
