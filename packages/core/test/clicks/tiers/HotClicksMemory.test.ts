import { suite } from "../../contract/clicks/tiers/HotClicksContract.ts"
import * as HotClicksMemory from "../../contract/clicks/tiers/HotClicksMemory.ts"

suite("memory", HotClicksMemory.layer)
