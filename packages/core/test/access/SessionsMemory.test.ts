import { Layer } from "effect"
import * as ApiKeysMemory from "../../src/access/ApiKeysMemory.ts"
import * as SessionsMemory from "../../src/access/SessionsMemory.ts"
import { suite } from "../contract/SessionsContract.ts"

suite("memory", SessionsMemory.layer.pipe(Layer.provideMerge(ApiKeysMemory.layer)))
