import { boundedSuite, suite } from "../../contract/clicks/SpoolContract.ts"
import * as SpoolMemory from "../../contract/clicks/SpoolMemory.ts"

suite("memory", SpoolMemory.layer())
boundedSuite("memory", SpoolMemory.layer(500))
