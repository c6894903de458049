/**
 * Runs the contract suite on your own store. Needs `vitest` and `@effect/vitest`.
 */
import { ClickStoreContract } from "@clicks/core/testing"
import { mapStore } from "../src/with-promises.ts"

ClickStoreContract.promiseSuite("the map of the example", mapStore())
