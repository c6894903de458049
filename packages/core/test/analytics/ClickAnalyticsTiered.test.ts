import { memoryTiers } from "../clicks/tiers/memoryTiers.ts"
import { suite } from "../contract/ClickAnalyticsContract.ts"
import { movingLayer } from "../contract/tieredLayer.ts"

suite("memory × memory", movingLayer(memoryTiers))
