import { Layer } from "effect"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { suite } from "../contract/analytics/ClickAnalyticsContract.ts"
import * as ClickAnalyticsMemory from "../contract/analytics/ClickAnalyticsMemory.ts"

suite("memory", ClickAnalyticsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer)))
