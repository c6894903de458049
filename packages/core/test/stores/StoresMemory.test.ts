import * as StorePayloadsContract from "../contract/stores/StorePayloadsContract.ts"
import * as StoresContract from "../contract/stores/StoresContract.ts"
import * as StoresMemory from "../contract/stores/StoresMemory.ts"

StoresContract.suite("memory", StoresMemory.layer)
StorePayloadsContract.suite("memory", StoresMemory.layer)
