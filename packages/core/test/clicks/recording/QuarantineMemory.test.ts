import * as QuarantineMemory from "../../../src/clicks/recording/QuarantineMemory.ts"
import { suite } from "../../contract/clicks/QuarantineContract.ts"

suite("memory", QuarantineMemory.layer)
