import { Layer } from "effect"
import { layerMemory } from "../../../../core/test/contract/clicks/tiers/ArchiveFaults.ts"
import { suite } from "../../../../core/test/contract/clicks/tiers/MoverTrialsContract.ts"
import * as ClickAnalyticsSql from "../../../src/analytics/ClickAnalyticsSql.ts"
import { hotLayer } from "./hotStore.ts"

const tiers = Layer.merge(Layer.provideMerge(ClickAnalyticsSql.layer, hotLayer), layerMemory)

// TIER_TRIALS=1000 takes minutes; TIER_SEED repeats a failure.
const trials = Number(process.env["TIER_TRIALS"] ?? 25)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

suite("PostgreSQL × memory", tiers, { trials, seed })
