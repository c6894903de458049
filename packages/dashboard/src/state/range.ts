import { computed } from "@preact/signals"
import { address } from "./address.ts"
import { daysBetween, plusDays } from "./days.ts"
import { quoted } from "./format.ts"
import { sharesRange } from "./share.ts"

/** A range of days: `from` inclusive, `before` exclusive, as dates in the time zone. */
export interface Range {
  readonly from: string
  readonly before: string
  readonly interval: "hour" | "day" | "week" | "month"
  /** Whether the range ends in the future. */
  readonly isOpen: boolean
}

export const presets = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  month: "Month",
  custom: "Custom"
} as const
export type Preset = keyof typeof presets

// Computed lazily: the first date format takes 10 ms, which would delay the first paint.
const ownZone = computed(() => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC")

/** The time zone in which all dates are shown. */
export const zone = computed(() => address.value["tz"] ?? ownZone.value)

/** All time zones that the browser supports, the user's own first. */
export const zones = (): ReadonlyArray<string> => [
  ...new Set([ownZone.value, "UTC", ...Intl.supportedValuesOf("timeZone")])
]

/** The date of an instant (default: now) in a time zone. */
export const dateIn = (timeZone: string, instant = Date.now()): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant)

const isPreset = (text: string | undefined): text is Preset => text !== undefined && text in presets

/** The chosen preset. */
export const preset = computed<Preset>(() => {
  const chosen = address.value["range"]
  return isPreset(chosen) ? chosen : "7d"
})

const isDate = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The days in the address, if they are a range. */
const customDays = ({ from, to }: Readonly<Record<string, string>>): readonly [string, string] | undefined =>
  isDate(from) && isDate(to) && from <= to ? [from, plusDays(to, 1)] : undefined

/** Why other days than those in the address are shown; empty if they are shown. */
export const rangeProblem = computed(() => {
  if (preset.value !== "custom" || customDays(address.value) !== undefined) return ""
  const { from = "(none)", to = "(none)" } = address.value
  return `The range from ${quoted(from)} to ${quoted(to)} is invalid: it needs two dates, the first not after the last. These are the last 7 days instead.`
})

const firstOfNextMonth = (date: string): string => `${plusDays(`${date.slice(0, 7)}-01`, 32).slice(0, 7)}-01`

const daysOf = (
  chosen: Preset,
  today: string,
  given: Readonly<Record<string, string>>
): readonly [string, string] => {
  const custom = chosen === "custom" ? customDays(given) : undefined
  if (custom !== undefined) return custom
  if (chosen === "month") return [`${today.slice(0, 7)}-01`, firstOfNextMonth(today)]
  const length = { today: 1, "30d": 30 }[chosen as string] ?? 7
  return [plusDays(today, 1 - length), plusDays(today, 1)]
}

const intervalOf = (days: number): Range["interval"] => {
  if (days <= 2) return "hour"
  if (days <= 92) return "day"
  return days <= 730 ? "week" : "month"
}

/** The chosen range. */
export const range = computed<Range>(() => {
  const today = dateIn(zone.value)
  const [from, before] = daysOf(preset.value, today, address.value)
  const days = daysBetween(from, before)
  return { from, before, interval: intervalOf(days), isOpen: before > today }
})

export const comparisons = {
  previous: "previous period",
  year: "same weekdays last year",
  none: "no comparison"
} as const
export type Comparison = keyof typeof comparisons

/** The period with which the range is compared. */
export const comparison = computed<Comparison>(() => {
  if (sharesRange) return "none"
  const chosen = address.value["compare"]
  return chosen === "year" || chosen === "none" ? chosen : "previous"
})
