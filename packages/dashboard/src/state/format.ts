const whole = new Intl.NumberFormat("en")
// Always one decimal, so that percentages in a column align.
const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const percents = new Intl.NumberFormat("en", { style: "percent", ...tenths })
const changes = new Intl.NumberFormat("en", { style: "percent", ...tenths, signDisplay: "exceptZero" })

/** Shown for an unknown number. */
const unknown = "–"

type Known = number | null | undefined

export const count = (value: Known): string => (value == null ? unknown : whole.format(value))

export const clicksName = (value: number): string => `${count(value)} ${value === 1 ? "click" : "clicks"}`

/** A fraction as a percentage. */
export const percent = (value: Known): string => (value == null ? unknown : percents.format(value))

// `Intl` writes a hyphen for the minus sign.
const signed = (text: string): string => text.replace("-", "−")

/** A change as a percentage with its sign; from a growth of 1,000% as a factor. */
export const change = (value: Known): string => {
  if (value == null) return unknown
  return value < 10 ? signed(changes.format(value)) : `×${whole.format(Math.round(value + 1))}`
}

const pointsFormat = new Intl.NumberFormat("en", { ...tenths, signDisplay: "exceptZero" })

/** The difference of two percentages, in percentage points. */
export const points = (value: number): string => `${signed(pointsFormat.format(value * 100))} pts`

const gains = new Intl.NumberFormat("en", { signDisplay: "exceptZero" })

/** A difference of counts with its sign. */
export const gain = (value: Known): string => (value == null ? unknown : signed(gains.format(value)))

/** A fraction rounded as it is shown, to a tenth of a percent. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Bytes in the largest unit that keeps them readable: 1.5 MB. */
export const bytes = (value: number): string => {
  const exponent = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3))
  const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][exponent] ?? "byte"
  const format = new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits: 1 })
  return format.format(value / 1000 ** exponent)
}

/** The difference of two fractions, rounded as they are shown so that it agrees with them; null if one is unknown. */
export const difference = (now: Known, before: Known): number | null =>
  now == null || before == null ? null : rounded(now) - rounded(before)

/** `part` divided by `all`; null if one is unknown or `all` is 0. */
export const ratio = (part: Known, all: Known): number | null => (part == null || !all ? null : part / all)

/** The relative change of a value; null if it is unknown or `before` is 0. */
export const growth = (now: Known, before: Known): number | null =>
  now == null || before == null || before === 0 ? null : now / before - 1

/** The names of the actions. */
export const actionNames: Readonly<Record<string, string>> = {
  view: "Views",
  compare: "Compares",
  open_product: "Product opens",
  open_store: "Store opens",
  other: "Other"
}

const mostInSentence = 60

/** A value in a sentence, shortened, and isolated if it may run from right to left. */
export const quoted = (value: string): string => {
  const text = value.length > mostInSentence ? `${value.slice(0, mostInSentence).trimEnd()}…` : value
  return /^[ -~…]*$/.test(text) ? text : `\u2068${text}\u2069`
}

/** A value of a field as it is shown. Null: the clicks have no value. */
export const valueName = (value: string | null | undefined): string => value ?? "none given"
