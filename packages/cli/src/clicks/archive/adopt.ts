import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore, type ClickStoreError } from "@clicks/core/clicks/ClickStore"
import * as ArchiveSwitch from "@clicks/sql-adapter/clicks/archive/ArchiveSwitch"
import * as ClickStoreSql from "@clicks/sql-adapter/clicks/ClickStoreSql"
import { Effect, Layer, type Scope, Stream } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Archive from "../../Archive.ts"
import { CommandFailed } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import * as Progress from "../../terminal/Progress.ts"

const batch = 1_000

const takeBack = Effect.fnUntraced(function* <E>(clicks: Stream.Stream<ClickEvent, E>) {
  const progress = yield* Progress.counter("clicks taken back")
  const { insert } = yield* ClickStore
  let taken = 0
  yield* Stream.runForEach(
    Stream.grouped(clicks, batch),
    Effect.fnUntraced(function* (some) {
      taken += (yield* insert(some)).size
      progress.update(taken)
    })
  )
  return taken
})

const owner = Effect.filterOrElse(
  ArchiveSwitch.owner,
  (found) => found !== undefined,
  () => Effect.die("The database is not prepared for an archive")
)

/** `clicks archive adopt`. */
export const adoptArchive = Effect.fn("adoptArchive")(
  function* (format: Output.Format) {
    const [place, { layer }] = yield* Archive.loaded
    const { adoptTable } = yield* Effect.promise(() => import("@clicks/clickhouse-adapter/adoptTable"))
    const adopted = adoptTable<
      ClickStoreError | SqlError.SqlError,
      ClickStore | SqlClient.SqlClient | Scope.Scope
    >({ owner, takeBack, skipAttempts: ArchiveSwitch.skipAttempts })
    const taken = yield* adopted.pipe(
      Effect.provide(Layer.merge(layer(place), ClickStoreSql.layer)),
      Effect.catchTags({
        ClickHouseError: ({ message }) => new CommandFailed({ message }),
        ClickStoreError: ({ message }) => new CommandFailed({ message })
      })
    )
    const text = `This database uses the archive now. ${countOf(taken, "click")} taken back from it`
    yield* Output.change(format, { taken_back: taken }, text)
  },
  Effect.scoped,
  Effect.provide(Database.migrated)
)
