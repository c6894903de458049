import * as ArchiveSwitch from "@clicks/sql-adapter/clicks/archive/ArchiveSwitch"
import * as HotBatchesSql from "@clicks/sql-adapter/clicks/archive/HotBatchesSql"
import * as HotClicksSql from "@clicks/sql-adapter/clicks/archive/HotClicksSql"
import * as ClickMover from "@clicks/worker/clicks/ClickMover"
import { Context, Effect, Layer, Predicate, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { CommandFailed } from "./CommandError.ts"
import { Settings, withSettings } from "./settings/Settings.ts"

/** The version and contents of the ClickHouse server, or why they are unknown. */
export type ServerStatus =
  | { readonly version: string; readonly rows: number; readonly bytes: number }
  | { readonly problem: string }

export class ArchiveServer extends Context.Service<
  ArchiveServer,
  { readonly status: Effect.Effect<ServerStatus> }
>()("@clicks/cli/ArchiveServer") {}

const isMissing = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "ERR_MODULE_NOT_FOUND"

// An optional package: loaded only if `CLICKHOUSE_URL` is set.
const load = Effect.tryPromise({
  try: () =>
    Promise.all([
      import("@clicks/clickhouse-adapter/ClickHouse"),
      import("@clicks/clickhouse-adapter/ArchiveStatus"),
      import("@clicks/clickhouse-adapter/clicks/ClickArchiveClickHouse"),
      import("@clicks/clickhouse-adapter/analytics/ArchiveAnalyticsClickHouse")
    ]),
  catch: (cause) =>
    new CommandFailed({
      message: isMissing(cause)
        ? "CLICKHOUSE_URL requires the package @clicks/clickhouse-adapter. Install it beside @clicks/cli: npm install @clicks/clickhouse-adapter"
        : "The package @clicks/clickhouse-adapter cannot be loaded",
      cause
    })
})

// Clicks are recorded while ClickHouse is down, so startup does not wait for it.
const startupTimeout = "3 seconds"

/** The location of ClickHouse, and the modules of its adapter. */
export const loaded = Effect.gen(function* () {
  const { clickhouseCluster: cluster, clickhouseUrl } = yield* Settings
  if (clickhouseUrl === undefined)
    return yield* new CommandFailed({
      message: "There is no archive: CLICKHOUSE_URL is not set"
    })
  const place = { url: Redacted.value(clickhouseUrl), ...(cluster !== undefined && { cluster }) }
  return [place, ...(yield* load)] as const
})

const clickHouse = Layer.unwrap(
  Effect.gen(function* () {
    const [place, { ClickHouse, layer }, { archiveStatus }, archive, analytics] = yield* loaded
    const owner = Effect.provideContext(ArchiveSwitch.owner, yield* Effect.context<SqlClient.SqlClient>())
    const refuse = ClickHouse.use(({ version }) => version).pipe(
      Effect.timeout(startupTimeout),
      Effect.catch((error) =>
        error._tag === "ClickHouseError" && error.reason !== "Failed"
          ? Effect.fail(new CommandFailed({ message: error.message }))
          : Effect.void
      )
    )
    const server = Effect.map(Effect.context<Context.Service.Identifier<typeof ClickHouse>>(), (context) => ({
      status: archiveStatus.pipe(
        Effect.catch(({ message }) => Effect.succeed<ServerStatus>({ problem: message })),
        Effect.provideContext(context)
      )
    }))
    return Layer.mergeAll(
      archive.layer,
      analytics.layer,
      Layer.effect(ArchiveServer, server),
      Layer.effectDiscard(refuse)
    ).pipe(Layer.provide(layer({ ...place, owner })))
  })
)

/** The ports that only exist with an archive: ClickHouse, and the hot side of PostgreSQL. Fails without `CLICKHOUSE_URL`. */
export const tiers = Layer.mergeAll(HotClicksSql.layer, HotBatchesSql.layer, clickHouse)

/** The layer if there is an archive, else an empty one. */
export const whenArchived = <E, R>(layer: Layer.Layer<never, E, R>) =>
  withSettings(({ clickhouseUrl }): Layer.Layer<never, E | Layer.Error<typeof tiers>, R | Settings> => {
    return clickhouseUrl === undefined ? Layer.empty : layer
  })

/** Moves clicks to the archive, if there is one. */
export const mover = whenArchived(
  Layer.merge(ClickMover.layer(), ArchiveSwitch.layer).pipe(Layer.provide(tiers))
)
