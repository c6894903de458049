import { Layer } from "effect"
import * as ClickArrivalsMemory from "../../src/clicks/ClickArrivalsMemory.ts"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { suite } from "../contract/ClickArrivalsContract.ts"

suite("memory", ClickArrivalsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer)))
