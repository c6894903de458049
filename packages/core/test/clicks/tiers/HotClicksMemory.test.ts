import * as HotClicksMemory from "../../../src/clicks/tiers/HotClicksMemory.ts"
import { suite } from "../../contract/HotClicksContract.ts"

suite("memory", HotClicksMemory.layer)
