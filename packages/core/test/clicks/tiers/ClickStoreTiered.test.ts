import { suite } from "../../contract/clicks/ClickStoreContract.ts"
import { movingLayer } from "../../contract/clicks/tiers/tieredLayer.ts"
import { memoryTiers } from "./memoryTiers.ts"

suite("memory × memory", movingLayer(memoryTiers))
