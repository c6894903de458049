import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { type Fault, front, listening } from "../packages/browser/test/Front.ts"
import { launchBrowser } from "../test/browser.ts"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { printTable } from "./report.ts"
import { clicks } from "./trackers/clicks.ts"
import { publishedTrackers } from "./trackers/published.ts"
import { comeBack, scenarios } from "./trackers/scenarios.ts"
import { type Received, storeOf, type Tracker } from "./trackers/Tracker.ts"

interface Result {
  readonly lost: number
  readonly duplicated: number
  readonly changed: number
}

const pageOf = (head: string) => `<!doctype html><title>Shop</title>${head}
  <button id="here">Here</button> <a id="next" href="/next">Next</a>
  <script>
    const id = location.search.slice(1)
    const record = () => send(id, "s-" + id.length + "-" + id.at(-1))
    for (const element of document.querySelectorAll("button, a")) element.onclick = record
  </script>`

/** Waits until no more clicks arrive. */
const settled = async (tracker: Tracker, count: number): Promise<ReadonlyArray<Received>> => {
  for (let before = -1, quiet = 0; ; ) {
    const received = await tracker.received()
    quiet = received.length === before ? quiet + 1 : 0
    before = received.length
    if (quiet >= (received.length >= count ? 2 : 10)) return received
    await sleep(200)
  }
}

const judge = (ids: ReadonlyArray<string>, received: ReadonlyArray<Received>): Result => {
  const found = Map.groupBy(received, ({ id }) => id)
  const of = (id: string) => found.get(id) ?? []
  return {
    lost: ids.filter((id) => of(id).length === 0).length,
    duplicated: ids.reduce((sum, id) => sum + Math.max(0, of(id).length - 1), 0),
    changed: ids.filter((id) => of(id).some(({ store }) => store !== storeOf(id))).length
  }
}

const show = ({ changed, duplicated, lost }: Result) => `${lost} / ${duplicated} / ${changed}`

const runScenario = (tracker: Tracker, browser: Browser, name: string, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const service = yield* front(tracker.service)
    const port = yield* listening((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(pageOf(tracker.head(service.url)))
    })
    const url = `http://shop.test:${port}/`
    const stage = {
      browser,
      url,
      fail: (fault: Fault = () => undefined) => {
        service.state.fault = fault
      }
    }
    return yield* Effect.promise(async () => {
      const before = (await tracker.received()).length
      const visitors = (await scenarios[name]?.(stage, ids)) ?? []
      await comeBack(visitors, url)
      const received = await settled(tracker, before + ids.length)
      await Promise.all(visitors.map((visitor) => visitor.close()))
      return judge(ids, received)
    })
  }).pipe(Effect.scoped, Effect.runPromise)

const runAll = async ({ postgres, quick }: Run): Promise<ReadonlyArray<Bar>> => {
  const count = quick ? 40 : 1_000
  const ours = await clicks(postgres)
  const trackers = [ours, ...(await publishedTrackers())]
  const browser = await launchBrowser()
  const bars: Array<Bar> = []
  const rows: Array<ReadonlyArray<string>> = []
  try {
    for (const [index, name] of Object.keys(scenarios).entries()) {
      const ids = Array.from({ length: count }, (_, n) => `p-${index}-${n}`)
      const results: Array<string> = []
      for (const tracker of trackers) {
        const result = await runScenario(tracker, browser, name, ids)
        results.push(show(result))
        console.log(`${name}, ${tracker.name}: ${show(result)}`)
        if (tracker !== ours) continue
        const isMet = result.lost + result.duplicated + result.changed === 0
        bars.push({
          what: `${count} clicks, ${name}: lost / duplicated / changed`,
          measured: show(result),
          bar: "0 / 0 / 0",
          isMet
        })
      }
      rows.push([name, ...results])
    }
  } finally {
    await browser.close()
    await Promise.all([
      ours.stop(),
      ...trackers.slice(1).map((tracker) => "stop" in tracker && (tracker.stop as () => Promise<void>)())
    ])
  }
  console.log(`Of ${count} clicks each: lost / duplicated / changed`)
  printTable(["", ...trackers.map(({ name }) => name)], rows)
  return bars
}

export const sdk: Benchmark = {
  compares:
    "clicks that are lost, duplicated or changed on their way from a page to the service, against Plausible's and Umami's scripts",
  takes: "25 minutes",
  run: runAll
}
