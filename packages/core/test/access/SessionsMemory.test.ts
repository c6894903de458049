import { Layer } from "effect"
import * as ApiKeysMemory from "../contract/access/ApiKeysMemory.ts"
import { suite } from "../contract/access/SessionsContract.ts"
import * as SessionsMemory from "../contract/access/SessionsMemory.ts"

suite("memory", SessionsMemory.layer.pipe(Layer.provideMerge(ApiKeysMemory.layer)))
