import { Layer } from "effect"
import { suite } from "../../../core/test/contract/access/TrustedOriginsContract.ts"
import * as TrustedOriginsSql from "../../src/access/TrustedOriginsSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

suite("PostgreSQL", TrustedOriginsSql.layer.pipe(Layer.provide(TestDatabase.layer)))
