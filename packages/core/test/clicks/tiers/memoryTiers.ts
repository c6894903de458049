import { Layer } from "effect"
import * as ClickAnalyticsMemory from "../../../src/analytics/ClickAnalyticsMemory.ts"
import * as ArchiveAnalyticsMemory from "../../../src/analytics/tiers/ArchiveAnalyticsMemory.ts"
import * as ClickArchiveMemory from "../../../src/clicks/tiers/ClickArchiveMemory.ts"
import * as HotClicksMemory from "../../../src/clicks/tiers/HotClicksMemory.ts"

/** Both tiers in memory. */
export const memoryTiers = Layer.merge(
  Layer.provideMerge(ClickAnalyticsMemory.layer, HotClicksMemory.layer),
  Layer.provideMerge(ArchiveAnalyticsMemory.layer, ClickArchiveMemory.layer)
)
