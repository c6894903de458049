import { computed } from "@preact/signals"
import { address, isFixed } from "./address.ts"
import { shared } from "./share.ts"

/** The screens, in the order of the navigation. */
export const screens = {
  overview: "Overview",
  products: "Products",
  live: "Live",
  funnel: "Funnel",
  campaigns: "Campaigns",
  stores: "Stores and brands",
  visitors: "Visitors",
  when: "When",
  places: "Devices and places",
  system: "System"
} as const
export type Screen = keyof typeof screens

const unshared: ReadonlySet<string> = new Set<Screen>([
  "live",
  "system",
  "visitors",
  // A funnel cannot be filtered by action.
  ...(isFixed("action") ? (["funnel"] as const) : [])
])

const isShown = (name: string): name is Screen => name in screens && !(shared && unshared.has(name))

/** The screens that the user may see. A share link gives no access to single clicks, visitors and the service itself. */
export const shownScreens = Object.entries(screens).filter(([name]) => isShown(name))

/** The screen in the address. */
export const screen = computed<Screen>(() => {
  const name = address.value["screen"] ?? ""
  return isShown(name) ? name : "overview"
})
