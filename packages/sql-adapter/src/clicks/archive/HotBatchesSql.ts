import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { monotonicMillis } from "@clicks/core/values/monotonicMillis"
import { Duration, Effect, Layer, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { toClickStoreError } from "../ClickStoreSql.ts"
import { columnNames } from "../clickColumns.ts"
import * as ClickStream from "../listing/ClickStream.ts"
import * as ArchiveAttempts from "./ArchiveAttempts.ts"
import * as ArchiveRemoval from "./ArchiveRemoval.ts"
import { isKept, isWithin } from "./arrivalRanges.ts"

// Fetches are large because a mover reads everything: with 256 rows per fetch, it spends a fifth of its time on fetching.
const forMover = { fetch: 4096, bytes: 2 * 1024 ** 2, settings: { enable_seqscan: "off" } }

const abandoned = new ClickStoreError({
  operation: "move",
  reason: "Unavailable",
  cause: new Error("The attempt was abandoned")
})

const touchInterval = Duration.toMillis("1 second")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const context = yield* Effect.context<SqlClient.SqlClient>()
  const readAll = yield* ClickStream.make

  const run = <A>(operation: string, effect: Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>) =>
    effect.pipe(
      Effect.provideContext(context),
      Effect.mapError(toClickStoreError(operation)),
      Effect.withSpan(`HotBatches.${operation}`)
    )

  const touch = Effect.fnUntraced(function* (attempt: number) {
    if (!(yield* run("touch", ArchiveAttempts.touch(attempt)))) return yield* abandoned
  })

  /** Fails if the attempt was abandoned. Checks this every second and before the last piece, and renews the attempt. */
  const whileOpen = (attempt: number, count: number) => {
    let touched = Number.NEGATIVE_INFINITY
    let passed = 0
    return Effect.fnUntraced(function* (piece: ReadonlyArray<unknown>) {
      const now = yield* monotonicMillis
      passed += piece.length
      if (passed < count && now - touched < touchInterval) return
      touched = now
      yield* touch(attempt)
    })
  }

  const clicksOf = (batch: ArchiveAttempts.OpenAttempt): Stream.Stream<ClickEvent, ClickStoreError> => {
    const select = sql`
      select ${sql.csv(columnNames)} from clicks where ${isWithin(sql, batch)} and ${isKept(sql, batch)}`
    const check = whileOpen(batch.attempt, batch.count)
    return Stream.unwrap(readAll(select, forMover)).pipe(
      Stream.mapError(toClickStoreError("move")),
      Stream.chunks,
      Stream.tap(check),
      Stream.flattenArray
    )
  }

  return HotBatches.of({
    begin: (silentFor) =>
      Effect.map(run("begin", ArchiveAttempts.begin(silentFor)), (batch) =>
        batch === undefined ? null : { attempt: batch.attempt, count: batch.count, clicks: clicksOf(batch) }
      ),
    complete: (attempt, tally) => run("complete", ArchiveAttempts.complete(attempt, tally)),
    abandon: (attempt) => Effect.asVoid(run("abandon", ArchiveAttempts.abandon(attempt))),
    removeMoved: (before) => run("removeMoved", ArchiveRemoval.removeMoved(before)),
    expire: (deletion) => Effect.asVoid(run("expire", ArchiveRemoval.expire(deletion))),
    removeExpired: (deletion) => run("removeExpired", ArchiveRemoval.removeExpired(deletion))
  })
})

/** Keeps the record of batches in the tables `click_archive` and `click_archive_attempts`. */
export const layer: Layer.Layer<HotBatches, never, SqlClient.SqlClient> = Layer.effect(HotBatches, make)
