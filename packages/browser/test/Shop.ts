import { fileURLToPath } from "node:url"
import { Effect, Schedule } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import * as TrackingScript from "../../http/src/clicks/recording/TrackingScript.ts"
import { testServer } from "../../http/test/TestServer.ts"
import type {} from "../src/Click.ts"
import { front, listening, type Sent } from "./Front.ts"

const scriptFile = fileURLToPath(new URL("../dist/clicks.v1.js", import.meta.url))

interface ShopPage {
  /** Attributes of the script's element. */
  readonly script?: string
  /** The code of a module that records with this service, instead of the script. */
  readonly module?: (clicks: string) => string
  readonly body?: string
  readonly headers?: (clicks: string) => Readonly<Record<string, string>>
}

/** A shop at `http://shop.test` whose pages include the script of a service on another origin. */
export const shop = Effect.fnUntraced(function* (pages: Readonly<Record<string, ShopPage>> = {}) {
  const service = yield* testServer({ options: { trackingScripts: [scriptFile] } })
  const clicks = yield* front(service.url)
  const { integrity, versionedPath } = TrackingScript.read(scriptFile)
  const port = yield* listening((request, response) => {
    const { body = "", headers, module, script = "" } = pages[request.url?.split("?", 1)[0] ?? ""] ?? {}
    const path = script.includes("crossorigin") ? versionedPath : "/clicks.v1.js"
    const attributes = script.replace("INTEGRITY", integrity)
    const recorder = module
      ? `<script type="module">${module(clicks.url)}</script>`
      : `<script src="${clicks.url}${path}" defer ${attributes}></script>`
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers?.(clicks.url) })
      .end(`<!doctype html><title>Shop</title>${recorder}${body}`)
  })
  return {
    url: `http://shop.test:${port}`,
    clicks,
    /** Waits until this many clicks are stored and returns their products, sorted. */
    products: (count: number) =>
      service.stored.pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (events) => events.length >= count }),
        Effect.map((events) => events.map(({ product_id }) => product_id).sort())
      ),
    stored: service.stored
  }
})

const nothing = async () => {}

const opened = (visitor: BrowserContext, url: string, prepare: (page: Page) => Promise<unknown>) =>
  Effect.promise(async (): Promise<Page> => {
    const page = await visitor.newPage()
    await prepare(page)
    await page.goto(url)
    return page
  })

/** A new visitor's page. `prepare` runs before the page is opened. */
export const visit = Effect.fnUntraced(function* (
  url: string,
  prepare: (visitor: BrowserContext) => Promise<unknown> = nothing
) {
  const visitor = yield* TestBrowser.visitor()
  yield* Effect.promise(() => prepare(visitor))
  return yield* opened(visitor, url, nothing)
})

/** Another tab of the same visitor. */
export const openTab = (page: Page, url: string, prepare: (tab: Page) => Promise<unknown> = nothing) =>
  opened(page.context(), url, prepare)

/** Calls `clicks.record` for these products. */
export const record = (page: Page, ...products: ReadonlyArray<string>) =>
  Effect.promise(() =>
    page.evaluate((ids) => {
      for (const product_id of ids) window.clicks?.record({ product_id, action: "view" })
    }, products)
  )

/** Waits until this many batches are in the browser's storage. */
export const waiting = (page: Page, count: number) =>
  Effect.promise(() =>
    page.waitForFunction(
      (count) => Object.keys(localStorage).filter((key) => key.startsWith("clicks.v1.")).length === count,
      count
    )
  )

/** Shows the page again after six seconds, so that it adopts the batches of other pages and resets its backoff. */
export const later = (page: Page) =>
  Effect.promise(async () => {
    await page.clock.fastForward(6_000)
    await page.evaluate(() => dispatchEvent(new Event("online")))
  })

/** The bytes that were sent with each key. */
export const bytesByKey = (sent: ReadonlyArray<Sent>) => {
  const found = new Map<string, Set<string>>()
  for (const { clicks, key } of sent) found.set(key, (found.get(key) ?? new Set()).add(clicks))
  return found
}

/** Waits until a click on the product has been sent. */
export const sent = (clicks: { readonly sent: ReadonlyArray<Sent> }, product: string) =>
  Effect.sync(() => clicks.sent.some(({ clicks }) => clicks.includes(product))).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (isSent) => isSent })
  )
