import type { Click, Clicks, Options } from "./Click.ts"
import { add, keepSending, sendTo, stop } from "./outbox.ts"
import { attempt, local, random, session } from "./storage.ts"

// A random id. Of the visitor in localStorage, where it may also be "off"; of the visit in sessionStorage.
const id = "clicks.id"
// The query that the visitor came with.
const landing = "clicks.landing"

export const start = (url: string, options: Options): Clicks => {
  // The fields of all clicks; undefined while none may be stored.
  let common: object | undefined
  // The clicks before the visitor's consent.
  let waiting: Array<object> | undefined = options.consent && []

  const store = (click: object) => add({ ...common, ...click })

  const record = (click: Click) => {
    const timed = { occurred_at: new Date(), url_path: location.pathname, ...click }
    if (common) store(timed)
    else waiting?.push(timed)
  }

  const off = () => {
    common = waiting = undefined
    stop()
    attempt(() => {
      delete session[id]
      delete session[landing]
      local[id] = "off"
    })
  }

  const on = () => {
    const query = location.search
    attempt(() => {
      if (query.includes("utm_")) session[landing] = query
      session[id] ||= random()
      if (!local[id] || local[id] === "off") local[id] = random()
    })
    const parameters = new URLSearchParams(session[landing] || query)
    common = {
      source: parameters.get("utm_source") || options.source || "web",
      campaign_id: parameters.get("utm_campaign"),
      visitor_id: local[id],
      session_id: session[id]
    }
    waiting?.forEach(store)
    waiting = undefined
    sendTo(new URL("api/events/product-clicks", url))
  }

  // @ts-expect-error: not in all browsers, and not in the types.
  const isRefused = navigator.globalPrivacyControl || navigator.doNotTrack === "1" || local[id] === "off"
  if (!options.consent && !isRefused) on()
  keepSending()
  return { record, consent: (given) => (given ? on() : off()), off }
}
