import * as SpoolMemory from "../../../src/clicks/recording/SpoolMemory.ts"
import { boundedSuite, suite } from "../../contract/SpoolContract.ts"

suite("memory", SpoolMemory.layer())
boundedSuite("memory", SpoolMemory.layer(500))
