import * as ClickAnalyticsMemory from "@clicks/core/testing/ClickAnalyticsMemory"
import * as HotClicksMemory from "@clicks/core/testing/HotClicksMemory"
import { Layer } from "effect"
import * as ArchiveAnalyticsClickHouse from "../src/analytics/ArchiveAnalyticsClickHouse.ts"
import * as ClickArchiveClickHouse from "../src/clicks/ClickArchiveClickHouse.ts"
import { clickHouse } from "./chdb.ts"

/** An archive in ClickHouse. */
export const history = Layer.provide(
  Layer.merge(ClickArchiveClickHouse.layer, ArchiveAnalyticsClickHouse.layer),
  clickHouse
)

/** Hot clicks in memory, older clicks in ClickHouse. */
export const memoryTiers = Layer.merge(
  Layer.provideMerge(ClickAnalyticsMemory.layer, HotClicksMemory.layer),
  history
)
