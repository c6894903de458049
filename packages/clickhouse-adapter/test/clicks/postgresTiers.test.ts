import {
  ClickAnalyticsContract,
  ClickStoreContract,
  movingLayer,
  TierStepsContract
} from "@clicks/core/testing"
import { Layer } from "effect"
import * as ClickAnalyticsSql from "../../../sql-adapter/src/analytics/ClickAnalyticsSql.ts"
import { hotLayer } from "../../../sql-adapter/test/clicks/archive/hotStore.ts"
import { withClickHouse } from "../chdb.ts"
import { history } from "../memoryTiers.ts"

const tiers = Layer.merge(Layer.provideMerge(ClickAnalyticsSql.layer, hotLayer), history)
const name = "PostgreSQL × ClickHouse"

// TIER_STEPS=10000 takes an hour; TIER_SEED repeats a failure.
const steps = Number(process.env["TIER_STEPS"] ?? 200)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

withClickHouse(() => {
  ClickStoreContract.suite(name, movingLayer(Layer.fresh(tiers)))
  ClickAnalyticsContract.suite(name, movingLayer(Layer.fresh(tiers)))
  TierStepsContract.suite(name, Layer.fresh(tiers), { steps, seed })
})
