import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { suite } from "../contract/clicks/ClickStoreContract.ts"

suite("memory", ClickStoreMemory.layer)
