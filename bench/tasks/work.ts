import { PgBoss } from "pg-boss"
import { type Contestant, type Figures, singles, slots } from "./Contestant.ts"
import { watching } from "./watching.ts"

const queue = "tasks"
const second = {
  monitorIntervalSeconds: 1,
  superviseIntervalSeconds: 1,
  queueCacheIntervalSeconds: 1
}
const burst = { localConcurrency: slots, batchSize: 1, burstWhenReadyExceeds: 1, pollingIntervalSeconds: 0.5 }
const held = "select count(*)::int as held from pgboss.job where state = 'active'"

const untilCalled = (times: number) => {
  let left = times
  let resolve = () => {}
  const called = new Promise<void>((done) => {
    resolve = done
  })
  return { called, call: async () => void (--left === 0 && resolve()) }
}

const run = async (url: string, tasks: number, notify: boolean): Promise<Figures> => {
  const boss = new PgBoss({ connectionString: url, schedule: false, useListenNotify: notify, ...second })
  boss.on("error", console.error)
  await boss.start()
  await boss.createQueue(queue, { notify, heartbeatSeconds: 10 })
  for (let made = 0; made < tasks; made += 1000) {
    await boss.insert(
      queue,
      Array.from({ length: Math.min(1000, tasks - made) }, () => ({ data: {} }))
    )
  }
  const { most, result: rate } = await watching(url, held, async () => {
    const { call, called } = untilCalled(tasks)
    const begin = performance.now()
    await boss.work(queue, burst, call)
    await called
    return tasks / ((performance.now() - begin) / 1000)
  })
  await boss.offWork(queue)

  let noteStart = (_: number) => {}
  await boss.work(queue, burst, async () => noteStart(performance.now()))
  const latencies: Array<number> = []
  for (let single = 0; single < singles; single++) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    const begin = performance.now()
    const started = new Promise<number>((resolve) => {
      noteStart = resolve
    })
    await boss.insert(queue, [{ data: {} }])
    latencies.push((await started) - begin)
  }
  await boss.stop({ graceful: false })
  return { rate, heldMost: most, latencies }
}

/** pg-boss's own worker, notified of new jobs by LISTEN/NOTIFY. */
export const work: Contestant = (url, tasks) => run(url, tasks, true)

/** pg-boss's own worker, which polls at its shortest interval. */
export const workPolling: Contestant = (url, tasks) => run(url, tasks, false)
