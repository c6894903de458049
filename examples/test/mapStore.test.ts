/**
 * A store of your own, held to the contract that our stores keep. It needs `vitest` and `@effect/vitest`.
 */
import { ClickStoreContract } from "@clicks/core/testing"
import { mapStore } from "../src/with-promises.ts"

ClickStoreContract.promiseSuite("the map of the example", mapStore())
