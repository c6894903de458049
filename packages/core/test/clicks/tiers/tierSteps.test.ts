import { suite } from "../../contract/clicks/tiers/TierStepsContract.ts"
import { memoryTiers } from "./memoryTiers.ts"

// TIER_STEPS=10000 takes a few minutes; TIER_SEED repeats a failure.
const steps = Number(process.env["TIER_STEPS"] ?? 400)
const seed = Number(process.env["TIER_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

suite("memory × memory", memoryTiers, { steps, seed })
