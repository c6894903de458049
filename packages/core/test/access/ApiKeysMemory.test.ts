import * as ApiKeysMemory from "../../src/access/ApiKeysMemory.ts"
import { suite } from "../contract/ApiKeysContract.ts"

suite("memory", ApiKeysMemory.layer)
