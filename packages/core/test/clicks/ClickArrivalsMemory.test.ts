import { Layer } from "effect"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { suite } from "../contract/clicks/ClickArrivalsContract.ts"
import * as ClickArrivalsMemory from "../contract/clicks/ClickArrivalsMemory.ts"

suite("memory", ClickArrivalsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer)))
