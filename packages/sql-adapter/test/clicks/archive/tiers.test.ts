import * as ArchiveAnalyticsMemory from "@clicks/core/testing/ArchiveAnalyticsMemory"
import * as ClickArchiveMemory from "@clicks/core/testing/ClickArchiveMemory"
import { Layer } from "effect"
import { suite as analyticsSuite } from "../../../../core/test/contract/analytics/ClickAnalyticsContract.ts"
import { suite as storeSuite } from "../../../../core/test/contract/clicks/ClickStoreContract.ts"
import { suite as stepsSuite } from "../../../../core/test/contract/clicks/tiers/TierStepsContract.ts"
import { movingLayer } from "../../../../core/test/contract/clicks/tiers/tieredLayer.ts"
import * as ClickAnalyticsSql from "../../../src/analytics/ClickAnalyticsSql.ts"
import { hotLayer } from "./hotStore.ts"

const tiers = Layer.merge(
  Layer.provideMerge(ClickAnalyticsSql.layer, hotLayer),
  Layer.provideMerge(ArchiveAnalyticsMemory.layer, ClickArchiveMemory.layer)
)

const name = "PostgreSQL × memory"

storeSuite(name, movingLayer(Layer.fresh(tiers)))
analyticsSuite(name, movingLayer(Layer.fresh(tiers)))

// TIER_STEPS=10000 takes half an hour; TIER_SEED repeats a failure.
const steps = Number(process.env["TIER_STEPS"] ?? 300)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

stepsSuite(name, Layer.fresh(tiers), { steps, seed })
