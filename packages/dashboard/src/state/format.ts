const whole = new Intl.NumberFormat("en")
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
const changes = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero"
})

/** What stands for a number that is not known. */
const unknown = "–"

type Known = number | null | undefined

export const count = (value: Known): string => (value == null ? unknown : whole.format(value))

/** A count in little space: 12.3K. */
export const shortCount = (value: number): string =>
  value < 10_000 ? whole.format(value) : short.format(value)

/** A fraction as a percentage. */
export const percent = (value: Known): string => (value == null ? unknown : percents.format(value))

/** A change as a percentage with its sign. */
export const change = (value: Known): string => (value == null ? unknown : changes.format(value))

const pointsFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 1, signDisplay: "exceptZero" })

/** The difference of two percentages, in percentage points. */
export const points = (value: number): string => `${pointsFormat.format(value * 100)} pts`

/** The difference of two fractions; null if one is not known. */
export const difference = (now: Known, before: Known): number | null =>
  now == null || before == null ? null : now - before

/** A fraction; null if it has no meaning. */
export const ratio = (part: Known, all: Known): number | null => (part == null || !all ? null : part / all)

/** How much a value has changed, as a fraction. */
export const growth = (now: Known, before: Known): number | null =>
  now == null || before == null || before === 0 ? null : now / before - 1

/** An action in words. */
export const actionNames: Readonly<Record<string, string>> = {
  view: "Views",
  compare: "Compares",
  open_product: "Product opens",
  open_store: "Store opens",
  other: "Other"
}

/** A value of a field as it is shown; null: the clicks name none. */
export const valueName = (value: string | null | undefined): string => value ?? "none given"
