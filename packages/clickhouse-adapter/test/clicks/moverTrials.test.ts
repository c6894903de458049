import { MoverTrialsContract } from "@clicks/core/testing"
import { Layer } from "effect"
import * as ClickAnalyticsSql from "../../../sql-adapter/src/analytics/ClickAnalyticsSql.ts"
import { hotLayer } from "../../../sql-adapter/test/clicks/archive/hotStore.ts"
import { withClickHouse } from "../chdb.ts"
import { faultyHistory } from "../faultyClickHouse.ts"

const tiers = Layer.merge(Layer.provideMerge(ClickAnalyticsSql.layer, hotLayer), faultyHistory)

// TIER_TRIALS=1000 takes half an hour; TIER_SEED repeats a failure.
const trials = Number(process.env["TIER_TRIALS"] ?? 15)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

withClickHouse(() => MoverTrialsContract.suite("PostgreSQL × ClickHouse", tiers, { trials, seed }))
