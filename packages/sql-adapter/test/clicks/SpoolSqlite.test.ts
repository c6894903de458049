import { Effect, Layer } from "effect"
import { boundedSuite, suite } from "../../../core/test/contract/SpoolContract.ts"
import * as SpoolSqlite from "../../src/clicks/SpoolSqlite.ts"
import { temporaryFolder } from "./spool/temporaryFolder.ts"

const spool = (maxBytes: number) =>
  Layer.unwrap(Effect.map(temporaryFolder, (directory) => SpoolSqlite.layer({ directory, maxBytes })))

suite("SQLite", spool(1024 ** 3))
boundedSuite("SQLite", spool(1024 ** 2))
