import { ClickAnalyticsContract, movingLayer } from "@clicks/core/testing"
import { withClickHouse } from "../chdb.ts"
import { memoryTiers } from "../memoryTiers.ts"

withClickHouse(() => ClickAnalyticsContract.suite("memory × ClickHouse", movingLayer(memoryTiers)))
