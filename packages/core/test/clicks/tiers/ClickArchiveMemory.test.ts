import * as ClickArchiveMemory from "../../../src/clicks/tiers/ClickArchiveMemory.ts"
import { suite } from "../../contract/ClickArchiveContract.ts"

suite("memory", ClickArchiveMemory.layer)
