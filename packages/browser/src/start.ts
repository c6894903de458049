import type { Click, Clicks, Options } from "./Click.ts"
import { add, keepSending, sendTo, stop } from "./outbox.ts"
import { attempt, local, random, session } from "./storage.ts"

// In localStorage, the random id of the visitor, or "off"; in sessionStorage, the random id of the visit.
const id = "clicks.id"
// The query with the UTM parameters of the visit's first page.
const landing = "clicks.landing"

export const start = (url: string, options: Options): Clicks => {
  // The fields that all clicks share; undefined while no click may be stored.
  let common: object | undefined
  // The clicks that wait for the visitor's consent.
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

  // @ts-expect-error: `globalPrivacyControl` is missing in the types and in some browsers.
  const isRefused = navigator.globalPrivacyControl || navigator.doNotTrack === "1" || local[id] === "off"
  if (!options.consent && !isRefused) on()
  keepSending()
  return { record, consent: (given) => (given ? on() : off()), off }
}
