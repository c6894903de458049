import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import type { Uuid } from "@clicks/core/values/Uuid"
import { Effect, Layer, Stream } from "effect"
import { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { and, literal } from "../sqlText.ts"
import { selectedColumns, toClick } from "./clickColumns.ts"
import { isContained, isDeletedBy, matchesNothing } from "./clickConditions.ts"
import { countStatement, toBucket } from "./countClicks.ts"
import { deleteClicks } from "./deleteClicks.ts"
import { readClicks } from "./readClicks.ts"
import { checkAttempt, writeClicks } from "./writeClicks.ts"

const unavailable = (operation: string) => (cause: ClickHouseError) =>
  new ClickStoreError({ operation, reason: "HistoryUnavailable", cause })

const failsAs =
  (operation: string) =>
  <A, E>(effect: Effect.Effect<A, E | ClickHouseError>) =>
    effect.pipe(
      Effect.mapError((error) => (error instanceof ClickHouseError ? unavailable(operation)(error) : error)),
      Effect.withSpan(`ClickArchive.${operation}`)
    ) as Effect.Effect<A, Exclude<E, ClickHouseError> | ClickStoreError>

const findClicks = Effect.fnUntraced(function* (
  { lines, table }: ClickHouse["Service"],
  cut: Cut,
  ids: ReadonlyArray<Uuid>
) {
  const numbers = ids.map((id) => `UUIDStringToNum(${literal(id)})`)
  const conditions = [`id in (${numbers})`, ...isContained(cut)]
  const found = yield* lines(`select ${selectedColumns} from ${table} where ${and(conditions)}`)
  return found.map((line) => toClick(JSON.parse(line)))
})

const most = 1000

const chunks = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(values.length / most) }, (_, index) =>
    values.slice(index * most, (index + 1) * most)
  )

const make = Effect.gen(function* () {
  const clickHouse = yield* ClickHouse
  const { lines, table } = clickHouse
  return ClickArchive.of({
    ping: failsAs("ping")(Effect.andThen(clickHouse.version, clickHouse.ready)),
    write: (attempt, clicks) => failsAs("write")(writeClicks(clickHouse, attempt, clicks)),
    check: (attempt) => failsAs("check")(checkAttempt(clickHouse, attempt)),
    forget: (attempts) =>
      attempts.length === 0
        ? Effect.void
        : failsAs("forget")(deleteClicks(clickHouse, `attempt in (${attempts})`)),
    remove: (deletion) => failsAs("remove")(deleteClicks(clickHouse, isDeletedBy(deletion))),
    find: (cut, ids) =>
      failsAs("find")(
        Effect.map(
          Effect.forEach(chunks(ids), (some) => findClicks(clickHouse, cut, some)),
          (found) => found.flat()
        )
      ),
    count: (cut, filter, width) =>
      matchesNothing(filter)
        ? Effect.succeed([])
        : failsAs("count")(
            Effect.map(lines(countStatement(table, cut, filter, width)), (found) =>
              found.map((line) => toBucket(line, width))
            )
          ),
    read: (cut, filter, part) =>
      matchesNothing(filter)
        ? Stream.empty
        : Stream.mapError(readClicks(clickHouse, cut, filter, part), unavailable("read"))
  })
})

/** Keeps the clicks in one table, with their counts as projections of it. */
export const layer: Layer.Layer<ClickArchive, never, ClickHouse> = Layer.effect(ClickArchive, make)
