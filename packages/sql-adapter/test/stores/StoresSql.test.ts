import { Layer } from "effect"
import * as StorePayloadsContract from "../../../core/test/contract/stores/StorePayloadsContract.ts"
import * as StoresContract from "../../../core/test/contract/stores/StoresContract.ts"
import * as StorePayloadsSql from "../../src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../src/stores/StoresSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.merge(StoresSql.layer, StorePayloadsSql.layer).pipe(Layer.provide(TestDatabase.layer))

StoresContract.suite("PostgreSQL", stores)
StorePayloadsContract.suite("PostgreSQL", stores)
