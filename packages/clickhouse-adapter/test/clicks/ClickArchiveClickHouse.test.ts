import { ClickArchiveContract } from "@clicks/core/testing"
import { Layer } from "effect"
import * as ClickArchiveClickHouse from "../../src/clicks/ClickArchiveClickHouse.ts"
import { clickHouse, withClickHouse } from "../chdb.ts"

withClickHouse(() => {
  ClickArchiveContract.suite(
    "ClickHouse",
    Layer.fresh(Layer.provide(ClickArchiveClickHouse.layer, clickHouse))
  )
})
