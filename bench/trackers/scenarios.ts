import { setTimeout as sleep } from "node:timers/promises"
import type { Browser, BrowserContext, Page } from "playwright-core"
import type { Fault } from "../../packages/browser/test/Front.ts"
import { storeOf } from "./Tracker.ts"

/** The environment of a scenario. */
interface Stage {
  readonly browser: Browser
  /** A page of the shop. Scenarios may append a query. */
  readonly url: string
  /** Makes the service fail from now on; with undefined, makes it work. */
  readonly fail: (fault: Fault | undefined) => void
}

/** Sends clicks with these ids. Returns the visitors, who come back later. */
type Scenario = (stage: Stage, ids: ReadonlyArray<string>) => Promise<ReadonlyArray<BrowserContext>>

type Shop = { readonly send: (id: string, store: string) => void }

const busy: Fault = () => ({ status: 503, body: "" })

const send = (page: Page, ids: ReadonlyArray<string>) =>
  page.evaluate(
    (clicks) => {
      for (const [id = "", store = ""] of clicks) (window as unknown as Shop).send(id, store)
    },
    ids.map((id) => [id, storeOf(id)])
  )

const visitor = async ({ browser }: Stage): Promise<BrowserContext> => {
  const context = await browser.newContext()
  await context.clock.install()
  return context
}

const openPage = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

const parts = (ids: ReadonlyArray<string>, count: number) =>
  Array.from({ length: count }, (_, part) => ids.filter((_, index) => index % count === part))

/** Several visitors at once, each with a part of the clicks. */
const eachVisitor =
  (
    count: number,
    visit: (page: Page, ids: ReadonlyArray<string>, context: BrowserContext) => Promise<void>
  ): Scenario =>
  (stage, ids) =>
    Promise.all(
      parts(ids, count).map(async (part) => {
        const context = await visitor(stage)
        await visit(await openPage(context, stage.url), part, context)
        return context
      })
    )

const hour = 3_600_000

const day: Scenario = eachVisitor(4, async (page, ids, context) => {
  await context.setOffline(true)
  for (const id of ids) {
    await send(page, [id])
    await page.clock.fastForward((24 * hour) / ids.length)
  }
  await context.setOffline(false)
})

const hourOfErrors: Scenario = async (stage, ids) => {
  stage.fail(busy)
  const visit = eachVisitor(4, async (page, part) => {
    for (const id of part) {
      await send(page, [id])
      await page.clock.runFor(hour / part.length)
    }
  })
  const visitors = await visit(stage, ids)
  stage.fail(undefined)
  return visitors
}

/** A page whose timers never fire, so that it sends a click at once or never. */
const openHalted = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  await page.addInitScript(() => Object.assign(window, { setInterval: () => 0, setTimeout: () => 0 }))
  await page.goto(url)
  return page
}

const killed: Scenario = async (stage, ids) => {
  const context = await visitor(stage)
  for (const part of parts(ids, Math.ceil(ids.length / 10))) {
    const page = await openHalted(context, stage.url)
    await send(page, part)
    const session = await context.newCDPSession(page)
    const died = page.waitForEvent("crash")
    session.send("Page.crash").catch(() => {})
    await died
    await page.close()
  }
  return [context]
}

const twoTabs: Scenario = eachVisitor(4, async (page, ids, context) => {
  const tabs = [page, await openPage(context, page.url())]
  for (const [index, id] of ids.entries()) {
    const tab = tabs[index % 2] ?? page
    // Sometimes both tabs have waiting clicks, and each finds those of the other.
    if (index % 25 === 0) await context.setOffline(index % 50 === 0)
    await send(tab, [id])
    if (index % 25 === 24) await page.clock.fastForward(6_000)
  }
  await context.setOffline(false)
})

const full: Scenario = eachVisitor(4, async (page, ids) => {
  await page.evaluate(() => {
    for (let size = 2 ** 22, n = 0; size >= 1; n++) {
      try {
        localStorage.setItem(`filler-${n}`, "x".repeat(size))
      } catch {
        size = Math.floor(size / 2)
      }
    }
  })
  for (const id of ids) await send(page, [id])
  // The page stays open until it has sent them.
  await sleep(500)
})

const navigate: Scenario = eachVisitor(4, async (page, ids) => {
  for (const id of ids) {
    await page.goto(`${page.url().split("?")[0]}?${id}`, { waitUntil: "load" })
    await page.click("#next")
    await page.waitForURL("**/next")
  }
})

const close: Scenario = async (stage, ids) =>
  Promise.all(
    parts(ids, 4).map(async (part) => {
      const context = await visitor(stage)
      const keeper = await context.newPage()
      for (const id of part) {
        const page = await openPage(context, `${stage.url}?${id}`)
        await page.click("#here")
        const closed = page.waitForEvent("close")
        await page.close({ runBeforeUnload: true })
        await closed
      }
      await keeper.close()
      return context
    })
  )

const atOnce: Scenario = async (stage, ids) =>
  eachVisitor(Math.ceil(ids.length / 200), async (page, part) => send(page, part))(stage, ids)

export const scenarios: Readonly<Record<string, Scenario>> = {
  "click, then navigate": navigate,
  "close the tab": close,
  "a day offline": day,
  "an hour of 503": hourOfErrors,
  "killed between write and send": killed,
  "two tabs": twoTabs,
  "storage full": full,
  "200 at once": atOnce
}

/** Lets the visitors come back, so that their remaining clicks are sent. */
export const comeBack = async (visitors: ReadonlyArray<BrowserContext>, url: string): Promise<void> => {
  for (const context of visitors) {
    await context.clock.fastForward(10_000)
    const page = await openPage(context, url)
    await page.evaluate(() => dispatchEvent(new Event("online")))
    const isEmpty = () => !Object.keys(localStorage).some((key) => key.startsWith("clicks.v1."))
    await page.waitForFunction(isEmpty, undefined, { timeout: 60_000 })
  }
}
