import { suite } from "../../contract/ClickStoreContract.ts"
import { movingLayer } from "../../contract/tieredLayer.ts"
import { memoryTiers } from "./memoryTiers.ts"

suite("memory × memory", movingLayer(memoryTiers))
