import { ClickStoreContract, movingLayer } from "@clicks/core/testing"
import { withClickHouse } from "../chdb.ts"
import { memoryTiers } from "../memoryTiers.ts"

withClickHouse(() => ClickStoreContract.suite("memory × ClickHouse", movingLayer(memoryTiers)))
