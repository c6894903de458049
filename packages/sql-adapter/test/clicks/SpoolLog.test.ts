import { Effect, Layer } from "effect"
import { boundedSuite, suite } from "../../../core/test/contract/clicks/SpoolContract.ts"
import * as SpoolLog from "../../src/clicks/SpoolLog.ts"
import { temporaryFolder } from "./spool/temporaryFolder.ts"

const spool = (maxBytes: number) =>
  Layer.unwrap(Effect.map(temporaryFolder, (directory) => SpoolLog.layer({ directory, maxBytes })))

suite("log", spool(1024 ** 3))
boundedSuite("log", spool(1024 ** 2))
