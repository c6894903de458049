import { Layer } from "effect"
import * as ClickAnalyticsMemory from "../../src/analytics/ClickAnalyticsMemory.ts"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { suite } from "../contract/ClickAnalyticsContract.ts"

suite("memory", ClickAnalyticsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer)))
