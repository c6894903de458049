import { Effect, type Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { canHaveSmallDisk } from "../../../sql-adapter/test/clicks/spool/smallDisk.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { onServer, type StageOptions } from "./FaultStage.ts"
import * as OwnServer from "./OwnServer.ts"
import { canRecord } from "./PowerCut.ts"
import { cutAtCommit } from "./scenarios/cutAtCommit.ts"
import { databaseAway } from "./scenarios/databaseAway.ts"
import { databaseSilent } from "./scenarios/databaseSilent.ts"
import { databaseStopped } from "./scenarios/databaseStopped.ts"
import { disconnecting } from "./scenarios/disconnecting.ts"
import { databaseDiskFull, spoolDiskBytes, spoolDiskFull } from "./scenarios/diskFull.ts"
import { flood } from "./scenarios/flood.ts"
import { frozen } from "./scenarios/frozen.ts"
import { killed } from "./scenarios/killed.ts"
import { noSlots } from "./scenarios/noSlots.ts"
import { poison } from "./scenarios/poison.ts"
import { powerCut } from "./scenarios/powerCut.ts"
import { readOnly } from "./scenarios/readOnly.ts"
import { slow } from "./scenarios/slow.ts"
import { terminated } from "./scenarios/terminated.ts"
import { type Build, judge, type Trial, type Verdict } from "./Trial.ts"

const shared = (options: StageOptions) => onServer(TestDatabase.layerSuperuser, options)
const own = (options: StageOptions) => onServer(OwnServer.layer, options)

/** A fault, or several in turn, and the service on which they are caused. */
export interface Scenario {
  readonly name: string
  readonly run: (build: Build) => Effect.Effect<Verdict, unknown>
  /** The reason why the scenario cannot run on this machine, if any. */
  readonly impossible?: string | undefined
}

const on =
  <R, E>(stage: (options: StageOptions) => Layer.Layer<R | Trial | SqlClient.SqlClient, E>) =>
  <E2>(
    name: string,
    faults: Effect.Effect<number, E2, R | Trial | SqlClient.SqlClient | Scope.Scope>,
    options: Omit<StageOptions, "sabotage"> = {}
  ): Scenario => ({
    name,
    run: (build) =>
      Effect.flatMap(faults, judge).pipe(
        Effect.scoped,
        Effect.provide(stage({ ...options, ...build }), { local: true })
      )
  })

const onShared = on(shared)
const onOwn = on(own)
const onSmallDisk = on((options) => onServer(OwnServer.layerOnSmallDisk, options))

const hasSmallDisk = canHaveSmallDisk()
const needsDisk = hasSmallDisk ? {} : { impossible: "Requires root on Linux to mount a tmpfs" }
const smallDisk = hasSmallDisk ? { diskBytes: spoolDiskBytes } : {}

const needsStrace = canRecord() ? {} : { impossible: "Requires strace" }

/** Each fault with a separate service and a separate witness. */
export const scenarios: ReadonlyArray<Scenario> = [
  onShared("service killed", killed),
  onShared("database away", databaseAway),
  onShared("service terminated", terminated),
  onOwn("database stopped", databaseStopped),
  onShared("database silent", databaseSilent),
  onShared("cut at commit", cutAtCommit),
  onShared("database read-only", readOnly),
  onShared("no connection slots", noSlots),
  onOwn("service or database frozen", frozen),
  { ...onShared("disk full under the spool", spoolDiskFull, smallDisk), ...needsDisk },
  { ...onSmallDisk("disk full under the database", databaseDiskFull), ...needsDisk },
  { ...onShared("power cut under the spool", powerCut), ...needsStrace },
  onShared("clients that disconnect", disconnecting),
  onShared("slow clients", slow),
  onShared("flood", flood),
  onShared("poison", poison)
]

const inTurn = Effect.map((trials: ReadonlyArray<number>) => trials.reduce((sum, count) => sum + count, 0))

const service = [killed, terminated] as const
const way = [databaseAway, databaseSilent, cutAtCommit, disconnecting, slow, flood, poison] as const
const database = [databaseStopped, frozen, readOnly, noSlots] as const

/**
 * The short form: several faults in sequence on the same service, because to start a service takes a second of processor time. Power
 * cuts are omitted, because recording the writes takes ten seconds.
 */
export const sequences: ReadonlyArray<Scenario> = [
  onShared("connection to the database, clients", inTurn(Effect.all(way))),
  ...(hasSmallDisk
    ? [
        onShared("service, disk of its spool", inTurn(Effect.all([...service, spoolDiskFull])), smallDisk),
        onSmallDisk("database and its disk", inTurn(Effect.all([...database, databaseDiskFull])))
      ]
    : [onShared("service", inTurn(Effect.all(service))), onOwn("database", inTurn(Effect.all(database)))])
]
