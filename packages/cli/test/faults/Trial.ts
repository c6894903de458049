import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { Environment } from "../clicks.ts"
import { compare, type Findings, type StoredRow } from "./compare.ts"
import { Load, type LoadOptions } from "./Load.ts"
import { exported, listedTotal, readiness } from "./readBack.ts"
import { isSabotaged, scale } from "./Scale.ts"
import { makeService, type ServiceProcess } from "./ServiceProcess.ts"
import { isPoison, Witness } from "./Witness.ts"

/** The result of a scenario. */
export interface Verdict extends Findings {
  /** How often the fault was caused. */
  readonly trials: number
  /** Clicks that stayed in the spool although the database was available. They also count as missing. */
  readonly undrained: number
  /** The difference between the listing's total and the number of stored clicks. */
  readonly miscounted: number
  /** Originals of valid clicks in the quarantine, and spool files that were set aside. */
  readonly quarantined: number
}

/** The counts of a verdict that must be 0. */
export const faultsOf = ({
  changed,
  doubled,
  miscounted,
  missing,
  quarantined,
  refused,
  undrained,
  unsent
}: Verdict) => ({ missing, doubled, changed, unsent, refused, undrained, miscounted, quarantined })

/** The build that is tested: the source as it is, or with one of the sabotages. */
export interface Build {
  readonly sabotage?: string
}

const hook = pathToFileURL(join(import.meta.dirname, "sabotage/register.mjs")).href

const environmentOf = ({ sabotage }: Build): Environment =>
  sabotage === undefined ? {} : { NODE_OPTIONS: `--import=${hook}`, SABOTAGE: sabotage }

/** A folder that is deleted when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "clicks-faults-"))
    chmodSync(folder, 0o711)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const everySoOften = Schedule.spaced("25 millis")

/** Waits until the condition holds, without a timeout other than the test's own. */
export const until = (condition: () => boolean | Promise<boolean>) =>
  Effect.promise(async () => condition()).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: everySoOften }),
    Effect.asVoid
  )

/** Waits with a timeout, because a sabotaged service may never do what it waits for. */
export const atMost = <E, R>(millis: number, wait: Effect.Effect<void, E, R>) =>
  Effect.asVoid(Effect.timeoutOption(wait, millis))

/** The duration of a fault. */
export const lasting = (millis: number) => Effect.sleep(millis)

const between = (low: number, high: number) => low + Math.random() * (high - low)

/** Waits for a random time. */
export const randomMoment = (low: number, high: number) => Effect.suspend(() => lasting(between(low, high)))

const light: LoadOptions = scale(
  { singles: 8, batches: 1, clicksInBatch: 50, perSecond: 600 },
  { singles: 12, batches: 1, clicksInBatch: 100, perSecond: 3000 }
)

/** A running service, and the witness of the clicks that are sent to it. */
export class Trial extends Context.Service<
  Trial,
  {
    readonly witness: Witness
    readonly service: ServiceProcess
    /** The folder of the service's spool. It contains nothing else. */
    readonly folder: string
  }
>()("@clicks/cli/test/faults/Trial") {}

/** Waits until this many more clicks are acknowledged. */
export const acknowledged = (clicks: number) =>
  Trial.use(({ witness }) => {
    const before = witness.acknowledged
    return until(() => witness.acknowledged >= before + clicks)
  })

/** Waits until this many more clicks are stored directly, without the spool. */
export const stored = (clicks: number) =>
  Trial.use(({ witness }) => {
    const before = witness.told.stored
    return until(() => witness.told.stored >= before + clicks)
  })

/** Waits until this many more clicks are spooled. */
export const spooled = (clicks: number) =>
  Trial.use(({ witness }) => {
    const before = witness.told.spooled
    return until(() => witness.told.spooled >= before + clicks)
  })

/** Causes faults while clients send clicks. After the faults, waits for all pending responses. */
export const underLoad = <E, R>(options: Partial<LoadOptions>, faults: Effect.Effect<number, E, R>) =>
  Effect.gen(function* () {
    const { service, witness } = yield* Trial
    const load = yield* Effect.acquireRelease(
      Effect.sync(() => new Load(service.port, witness, { ...light, ...options })),
      (load) => Effect.sync(() => load.giveUp())
    )
    const trials = yield* faults
    yield* acknowledged(200)
    yield* Effect.promise(() => load.stop())
    return trials
  })

// A spool that has not shrunk for this long will not be drained.
const standstill = isSabotaged ? 15_000 : 60_000

/** Waits until the spool is empty or stops shrinking. Returns the number of remaining clicks. */
const drained = Effect.gen(function* () {
  const { service } = yield* Trial
  let [depth, since] = [Number.POSITIVE_INFINITY, Date.now()]
  yield* until(async () => {
    const found = await readiness(service)
    if (found !== undefined && found.depth >= 0 && found.depth < depth)
      [depth, since] = [found.depth, Date.now()]
    return (depth === 0 && found?.isReady === true) || Date.now() - since > standstill
  })
  return depth
})

/** Compares the sent clicks with the database after the faults. All acknowledged clicks must be there. */
export const judge = Effect.fnUntraced(function* (trials: number) {
  const sql = yield* SqlClient.SqlClient
  const { service, witness } = yield* Trial
  const undrained = yield* drained
  const originals = yield* quarantinedOriginals
  const products = originals.map((original) => String(original["product_id"]))
  const findings = yield* Effect.promise(() => compare(witness, exported(service), originals))
  const [counted] = yield* sql<{
    readonly rows: number
  }>`select count(*)::double precision as rows from clicks`
  const total = yield* Effect.promise(() => listedTotal(service))
  const after = yield* Effect.promise(() => readiness(service))
  return {
    ...findings,
    trials,
    undrained,
    miscounted: Math.abs(total - (counted?.rows ?? 0)),
    quarantined: products.filter((id) => !isPoison(id)).length + (after?.setAside ?? 0)
  } satisfies Verdict
})

/** The originals in the quarantine. */
const quarantinedOriginals = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{
      readonly original: string
    }>`select convert_from(original, 'UTF8') as original from quarantined_clicks`,
    (rows) => rows.map(({ original }): StoredRow => JSON.parse(original))
  )
)

/** Starts the service on this database, with its spool in this folder. */
export const layer = (databaseUrl: string, folder: string, build: Build) =>
  Layer.effect(
    Trial,
    Effect.gen(function* () {
      const env = { DATABASE_URL: databaseUrl, CLICKS_DATA_DIR: folder, ...environmentOf(build) }
      const service = yield* makeService(env, folder)
      yield* Effect.promise(() => service.start())
      return { witness: new Witness(), service, folder }
    })
  )
