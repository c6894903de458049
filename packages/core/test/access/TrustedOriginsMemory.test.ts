import { suite } from "../contract/access/TrustedOriginsContract.ts"
import * as TrustedOriginsMemory from "../contract/access/TrustedOriginsMemory.ts"

suite("memory", TrustedOriginsMemory.layer)
