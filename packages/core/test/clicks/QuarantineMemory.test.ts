import * as QuarantineMemory from "../../src/clicks/QuarantineMemory.ts"
import { suite } from "../contract/QuarantineContract.ts"

suite("memory", QuarantineMemory.layer)
