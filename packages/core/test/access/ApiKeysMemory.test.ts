import { suite } from "../contract/access/ApiKeysContract.ts"
import * as ApiKeysMemory from "../contract/access/ApiKeysMemory.ts"

suite("memory", ApiKeysMemory.layer)
