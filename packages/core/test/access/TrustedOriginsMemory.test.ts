import * as TrustedOriginsMemory from "../../src/access/TrustedOriginsMemory.ts"
import { suite } from "../contract/TrustedOriginsContract.ts"

suite("memory", TrustedOriginsMemory.layer)
