import { Readable } from "node:stream"
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient
} from "@clickhouse/client"
import { Context, Data, Duration, Effect, Layer, Semaphore } from "effect"
import { createTables } from "./createTables.ts"
import {
  commentOf,
  newerClicksProblem,
  type Owner,
  ownerProblem,
  readComment,
  readNewestAttempt
} from "./Owner.ts"
import type { Place } from "./Place.ts"
import { versionProblem } from "./ServerVersion.ts"
import { name } from "./sqlText.ts"

/** ClickHouse is unreachable or too slow, rejects the statement, or must not hold this database's clicks. */
export class ClickHouseError extends Data.TaggedError("ClickHouseError")<{
  readonly reason: "Failed" | "NotOwn" | "UnsafeVersion"
  readonly message: string
  readonly cause?: unknown
}> {}

export interface Options {
  /** `http://user:password@host:8123/database`. The database is `clicks` when the path is empty. */
  readonly url: string
  readonly cluster?: string
  /** The owner of the table; the effect returns undefined until the owner is known. If omitted, any table is used. */
  readonly owner?: Effect.Effect<Owner | undefined, unknown>
}

type Run<A> = Effect.Effect<A, ClickHouseError>

/** Runs statements on the tables, which are created before the first one. */
export class ClickHouse extends Context.Service<
  ClickHouse,
  {
    readonly database: string
    /** The table of clicks, as SQL. */
    readonly table: string
    /** Appended to statements that every server of the cluster must run. */
    readonly onCluster: string
    /** The rows as lines of JSON, each an array of values. Fails after 30 seconds. */
    readonly lines: (statement: string) => Run<ReadonlyArray<string>>
    /** Like `lines`, but creates no tables. */
    readonly lookUp: (statement: string) => Run<ReadonlyArray<string>>
    /** Runs a statement that may take long. */
    readonly command: (statement: string, settings?: ClickHouseSettings) => Run<void>
    /** Inserts rows in the format that the statement names, without retrying. */
    readonly insert: (statement: string, rows: string) => Run<void>
    /**
     * The server's version. Fails with the reason `UnsafeVersion` if it must not hold clicks, and with `NotOwn` if its table belongs to
     * another owner, has newer clicks than its owner, or is missing although clicks were moved to it. Creates nothing.
     */
    readonly version: Run<string>
    /** Creates missing tables. Fails if the server must not hold clicks. Also runs before the first statement. */
    readonly ready: Run<void>
  }
>()("@clicks/clickhouse-adapter/ClickHouse") {}

const readTimeout = Duration.seconds(30)
const longest = Duration.minutes(30)

const reading: ClickHouseSettings = {
  // Both sides of a subtraction must see the same parts.
  enable_shared_storage_snapshot_in_query: 1,
  // Hot clicks are part of the statement: 100,000 take some 20 MB.
  max_query_size: "200000000"
}

const writing: ClickHouseSettings = {
  async_insert: 0,
  // Attempt numbers distinguish repeated inserts, and deduplication has lost and doubled inserts.
  insert_deduplicate: 0,
  // Unlimited: clicks can be in 137 yearly partitions, and the default limit is 100.
  max_partitions_per_insert_block: "0"
}

// Writes go to a majority of the replicas, one at a time, and every read sees all of them.
const replicatedReading: ClickHouseSettings = { select_sequential_consistency: "1" }
const replicatedWriting: ClickHouseSettings = { insert_quorum: "auto", insert_quorum_parallel: 0 }

// A proxy may respond with a whole page, or with nothing.
const firstLine = (message: string): string =>
  message.trim().split("\n")[0]?.slice(0, 300) || "ClickHouse responded with an error without a message"

const failed = (cause: unknown): ClickHouseError =>
  new ClickHouseError({
    reason: "Failed",
    message: cause instanceof Error ? firstLine(cause.message) : String(cause),
    cause
  })

const attempt = <A>(call: (signal: AbortSignal) => Promise<A>, within: Duration.Duration): Run<A> =>
  Effect.tryPromise({ try: call, catch: failed }).pipe(
    Effect.timeoutOrElse({
      duration: within,
      orElse: () =>
        Effect.fail(
          new ClickHouseError({
            reason: "Failed",
            message: `ClickHouse did not respond within ${Duration.format(within)}`
          })
        )
    })
  )

// Another server may respond at the address, and ClickHouse appends an error to a response that it has begun.
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n").filter((line) => line !== "")
  const strange = lines.find((line) => !line.startsWith("[") || !line.endsWith("]"))
  if (strange === undefined) return lines
  throw new Error(`This is not a response of ClickHouse: ${strange}`)
}

const statements = (client: ClickHouseClient, { cluster }: Place) => ({
  lines: (query: string) =>
    attempt(async (abort_signal) => {
      const settings = { ...reading, ...(cluster !== undefined && replicatedReading) }
      const result = await client.query({
        query,
        format: "JSONCompactEachRow",
        clickhouse_settings: settings,
        abort_signal
      })
      return linesOf(await result.text())
    }, readTimeout),
  command: (query: string, settings: ClickHouseSettings = {}) =>
    Effect.asVoid(
      attempt(
        (abort_signal) => client.command({ query, clickhouse_settings: settings, abort_signal }),
        longest
      )
    ),
  insert: (query: string, rows: string) =>
    attempt(async (abort_signal) => {
      const clickhouse_settings = { ...writing, ...(cluster !== undefined && replicatedWriting) }
      const values = Readable.from([rows], { objectMode: false })
      const { stream } = await client.exec({ query, values, clickhouse_settings, abort_signal })
      for await (const _ of stream);
    }, longest)
})

/** Makes the service with the given client. */
export const make = (client: ClickHouseClient, place: Place, owner?: Options["owner"]) =>
  Effect.gen(function* () {
    const { command, insert, lines } = statements(client, place)
    const known: Run<Owner | undefined> = Effect.mapError(owner ?? Effect.succeed(undefined), failed)
    const table = `${name(place.database)}.clicks`
    const notOwn = (message: string) => new ClickHouseError({ reason: "NotOwn", message })
    const checkOwner = Effect.gen(function* () {
      const own = yield* known
      if (own === undefined) return
      const found = yield* readComment(lines, place)
      const message = ownerProblem(place, own, found)
      if (message !== undefined) return yield* notOwn(message)
      if (found === undefined) return
      const attempt = yield* readNewestAttempt(lines, table, own.lastAttempt)
      // A mover may have begun the attempt since `own` was read.
      if (attempt > own.lastAttempt && attempt > ((yield* known)?.lastAttempt ?? 0))
        return yield* notOwn(newerClicksProblem(place))
    })
    const supported = Effect.flatMap(lines("select version()"), ([line = '[""]']) => {
      const [text = ""]: ReadonlyArray<string> = JSON.parse(line)
      const problem = versionProblem(text)
      return problem === undefined
        ? Effect.succeed(text)
        : Effect.fail(new ClickHouseError({ reason: "UnsafeVersion", message: problem }))
    })
    const version = Effect.tap(supported, checkOwner)
    const gate = yield* Semaphore.make(1)
    let isReady = false
    const prepare = Effect.gen(function* () {
      if (isReady) return
      yield* version
      const own = yield* known
      if (owner !== undefined && own === undefined)
        return yield* failed(new Error("The database is not prepared for ClickHouse yet"))
      for (const statement of createTables(place, own && commentOf(own))) yield* command(statement)
      // Another database may just have created the table.
      yield* checkOwner
      isReady = true
    })
    const ready = Effect.suspend(() => (isReady ? Effect.void : gate.withPermit(prepare)))
    return ClickHouse.of({
      database: place.database,
      table,
      onCluster: place.cluster === undefined ? "" : `on cluster ${name(place.cluster)}`,
      lines: (statement) => Effect.andThen(ready, lines(statement)),
      lookUp: lines,
      command: (statement, settings) => Effect.andThen(ready, command(statement, settings)),
      insert: (statement, text) => Effect.andThen(ready, insert(statement, text)),
      version,
      ready
    })
  })

/** Connects when the first statement runs. */
export const layer = ({ cluster, owner, url }: Options): Layer.Layer<ClickHouse> =>
  Layer.effect(
    ClickHouse,
    Effect.gen(function* () {
      const address = new URL(url)
      const database = decodeURIComponent(address.pathname.slice(1)) || "clicks"
      // Not in the URL, because the database may not exist yet. Every statement names it.
      address.pathname = "/"
      const client = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createClient({
            url: address,
            request_timeout: Duration.toMillis(longest),
            // Callers log failures.
            log: { level: ClickHouseLogLevel.OFF }
          })
        ),
        (open) => Effect.promise(() => open.close())
      )
      return yield* make(client, { database, ...(cluster !== undefined && { cluster }) }, owner)
    })
  )
