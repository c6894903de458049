import { memoryTiers } from "../clicks/tiers/memoryTiers.ts"
import { suite } from "../contract/analytics/ClickAnalyticsContract.ts"
import { movingLayer } from "../contract/clicks/tiers/tieredLayer.ts"

suite("memory × memory", movingLayer(memoryTiers))
