import { TierStepsContract } from "@clicks/core/testing"
import { withClickHouse } from "../chdb.ts"
import { memoryTiers } from "../memoryTiers.ts"

const steps = Number(process.env["TIER_STEPS"] ?? 200)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

withClickHouse(() => TierStepsContract.suite("memory × ClickHouse", memoryTiers, { steps, seed }))
