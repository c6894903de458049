import { computed } from "@preact/signals"
import { address } from "./address.ts"

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

/** The screen in the address. */
export const screen = computed<Screen>(() => {
  const name = address.value["screen"] ?? ""
  return name in screens ? (name as Screen) : "overview"
})
