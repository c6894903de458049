import * as SpoolMemory from "../../../src/clicks/recording/spool/SpoolMemory.ts"
import { boundedSuite, suite } from "../../contract/SpoolContract.ts"

suite("memory", SpoolMemory.layer())
boundedSuite("memory", SpoolMemory.layer(500))
