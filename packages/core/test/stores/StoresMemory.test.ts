import * as StoresMemory from "../../src/stores/StoresMemory.ts"
import * as StorePayloadsContract from "../contract/StorePayloadsContract.ts"
import * as StoresContract from "../contract/StoresContract.ts"

StoresContract.suite("memory", StoresMemory.layer)
StorePayloadsContract.suite("memory", StoresMemory.layer)
