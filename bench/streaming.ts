import { setTimeout as sleep } from "node:timers/promises"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { createKey } from "./load/createKey.ts"
import { watchMemory } from "./processes/processMemory.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atMost, digits, printTable, spreadOf } from "./report.ts"
import { StreamReader } from "./streams/StreamReader.ts"

const rate = 2_000
const campaigns = 100

/** `ofAll` readers read all clicks; each of the others reads one campaign. */
interface Audience {
  readonly name: string
  readonly readers: number
  readonly ofAll: number
}

const audiences: ReadonlyArray<Audience> = [
  { name: "1,000 readers: 50 of all clicks, 950 of a campaign", readers: 1_000, ofAll: 50 },
  { name: "1,000 readers of all clicks", readers: 1_000, ofAll: 1_000 }
]

const click = (number: number): object => ({
  product_id: `n${number}`,
  action: "view",
  source: "web",
  campaign_id: `c-${number % campaigns}`,
  store_id: "s-17",
  page_type: "category",
  url_path: "/products/p-1001"
})

/** Records clicks at the rate, four batches a second, and returns their number. */
const record = async (url: string, seconds: number): Promise<number> => {
  const begin = performance.now()
  const total = rate * seconds
  const batch = rate / 4
  for (let number = 0; number < total; number += batch) {
    const body = JSON.stringify(Array.from({ length: batch }, (_, index) => click(number + index)))
    const answer = await fetch(`${url}/api/events/product-clicks`, { method: "POST", body })
    const { spooled, stored } = (await answer.json()) as { readonly spooled: number; readonly stored: number }
    // Spooled clicks are stored later and must reach the readers, too.
    if (stored + spooled !== batch) throw new Error(`${stored + spooled} of ${batch} clicks were accepted`)
    await sleep(Math.max(0, begin + ((number + batch) / rate) * 1_000 - performance.now()))
  }
  return total
}

/** Opens a stream and retries if it is rejected: while many readers connect, the look-up of the key may time out. */
const open = async (reader: StreamReader, port: number): Promise<void> => {
  for (let attempt = 1; attempt < 60; attempt++) {
    try {
      return await reader.open(port)
    } catch {
      await sleep(1_000)
    }
  }
  throw new Error("A stream could not be opened in a minute")
}

const openAll = async (readers: ReadonlyArray<StreamReader>, port: number): Promise<void> => {
  for (let at = 0; at < readers.length; at += 50) {
    await Promise.all(readers.slice(at, at + 50).map((reader) => open(reader, port)))
  }
}

const missingOf = (readers: ReadonlyArray<StreamReader>, total: number): number =>
  readers.reduce((sum, reader) => sum + reader.missing(total), 0)

/** Seconds until every reader has every click, or no more clicks arrive. */
const untilRead = async (readers: ReadonlyArray<StreamReader>): Promise<number> => {
  const begin = performance.now()
  const received = () => readers.reduce((sum, { count }) => sum + count, 0)
  let [last, changed] = [received(), begin]
  while (performance.now() - changed < 15_000) {
    await sleep(100)
    const now = received()
    if (now !== last) [last, changed] = [now, performance.now()]
  }
  return (changed - begin) / 1_000
}

const watched = async ({ postgres, quick }: Run, { ofAll, readers: count }: Audience) => {
  const scale = quick ? 10 : 1
  const url = await postgres.createMigrated("bench_stream")
  const key = await createKey(url, "bench-stream")
  const recorder = await ServerProcess.clicks(url)
  const killed = await ServerProcess.clicks(url)
  const memories = [watchMemory(killed.process.pid)]
  const readers = Array.from({ length: count / scale }, (_, index) => {
    const isOfAll = index < ofAll / scale
    return new StreamReader(
      key,
      isOfAll ? { of: 1, remainder: 0 } : { of: campaigns, remainder: index % campaigns }
    )
  })
  const stuck = new StreamReader(key, { of: 1, remainder: 0 })
  await openAll([...readers, stuck], killed.port)
  stuck.pause()

  const seconds = quick ? 8 : 60
  const recording = record(recorder.url, seconds)
  await sleep((seconds * 1_000) / 2)
  const before = memories[0]?.() ?? Number.NaN
  await killed.kill()
  const streamer = await ServerProcess.clicks(url)
  const after = watchMemory(streamer.process.pid)
  await openAll(readers, streamer.port)
  const total = await recording
  const lag = await untilRead(readers)
  const memory = Math.max(before, after())
  for (const reader of [...readers, stuck]) reader.close()
  await Promise.all([recorder.stop(), streamer.stop()])
  return {
    events: readers.reduce((sum, { count }) => sum + count, 0),
    missing: missingOf(readers, total),
    duplicates: readers.reduce((sum, { duplicates }) => sum + duplicates, 0),
    lag,
    memory
  }
}

type Outcome = Awaited<ReturnType<typeof watched>>

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const bars: Array<Bar> = []
  const rows: Array<ReadonlyArray<string>> = []
  for (const audience of audiences) {
    const outcomes: Array<Outcome> = []
    for (let round = 0; round < (run.rounds ?? 1); round++) outcomes.push(await watched(run, audience))
    const figures = (of: (outcome: Outcome) => number) => spreadOf(outcomes.map(of))
    rows.push(
      ...outcomes.map(({ duplicates, events, lag, memory, missing }) => [
        audience.name,
        ...[events, missing, duplicates].map((number) => number.toLocaleString("en-US")),
        digits(lag),
        digits(memory)
      ])
    )
    bars.push(
      atMost(
        `${audience.name}: missing`,
        figures(({ missing }) => missing),
        0,
        ""
      ),
      atMost(
        `${audience.name}: repeated`,
        figures(({ duplicates }) => duplicates),
        0,
        ""
      ),
      atMost(
        `${audience.name}: memory`,
        figures(({ memory }) => memory),
        500,
        " MB"
      )
    )
  }
  printTable(["readers", "events", "missing", "repeated", "behind at the end, s", "memory, MB"], rows)
  return bars
}

/** Whether readers of streams get each click once, even if the service is killed. */
export const streaming: Benchmark = {
  compares:
    "1,000 streams at 2,000 clicks/s for a minute, one more that never reads, and a kill of the service that serves them after 30 seconds: clicks that a reader missed or got twice, how far readers are behind at the end, memory (Linux only)",
  takes: "3 minutes",
  run
}
