import { suite } from "../../contract/clicks/tiers/ClickArchiveContract.ts"
import * as ClickArchiveMemory from "../../contract/clicks/tiers/ClickArchiveMemory.ts"

suite("memory", ClickArchiveMemory.layer)
