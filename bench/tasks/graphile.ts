import { type Contestant, singles, slots } from "./Contestant.ts"
import { watching } from "./watching.ts"

interface Runner {
  readonly stop: () => Promise<void>
}

/** The part of graphile-worker that is used here. */
interface Graphile {
  readonly Logger: new (factory: () => () => void) => unknown
  readonly makeWorkerUtils: (options: object) => Promise<{
    readonly migrate: () => Promise<void>
    readonly release: () => Promise<void>
    readonly addJob: (name: string, payload: object) => Promise<unknown>
    readonly addJobs: (jobs: ReadonlyArray<object>) => Promise<unknown>
  }>
  readonly run: (options: object) => Promise<Runner>
}

const held = "select count(*)::int as held from graphile_worker._private_jobs where locked_at is not null"

const load = async (): Promise<Graphile | undefined> => {
  const path = process.env["GRAPHILE_WORKER"]
  return path === undefined ? undefined : await import(path)
}

/** graphile-worker with its defaults. */
export const graphile: Contestant = async (url, tasks) => {
  const module = await load()
  if (module === undefined) return undefined
  const options = { connectionString: url, logger: new module.Logger(() => () => {}), noHandleSignals: true }
  const utils = await module.makeWorkerUtils(options)
  await utils.migrate()
  for (let made = 0; made < tasks; made += 1000) {
    const jobs = Array.from({ length: Math.min(1000, tasks - made) }, () => ({
      identifier: "empty",
      payload: {}
    }))
    await utils.addJobs(jobs)
  }
  let onStart = () => {}
  const start = () =>
    module.run({ ...options, concurrency: slots, taskList: { empty: async () => onStart() } })

  const { most, result } = await watching(url, held, async () => {
    let left = tasks
    const ended = new Promise<void>((resolve) => {
      onStart = () => {
        if (--left === 0) resolve()
      }
    })
    const begin = performance.now()
    const runner = await start()
    await ended
    const rate = tasks / ((performance.now() - begin) / 1000)
    return { rate, runner }
  })
  const latencies: Array<number> = []
  for (let single = 0; single < singles; single++) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    const begin = performance.now()
    const started = new Promise<number>((resolve) => {
      onStart = () => resolve(performance.now())
    })
    await utils.addJob("empty", {})
    latencies.push((await started) - begin)
  }
  await result.runner.stop()
  await utils.release()
  return { rate: result.rate, heldMost: most, latencies }
}
