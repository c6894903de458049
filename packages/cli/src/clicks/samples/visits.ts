import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { campaigns, type SampleCampaign } from "./campaigns.ts"
import { products, type SampleProduct } from "./catalogue.ts"
import { drawing, hex, pick, type Random } from "./random.ts"
import { newVisitor, type SampleVisitor } from "./visitors.ts"

const second = 1000
const hour = 3_600_000
const days = 30

// Arizona has no daylight saving time.
const utcOffset = -7 * hour

/** Visits by hour of the day: few at night, some at noon, most after work. */
const byHour = [5, 3, 2, 1, 1, 2, 5, 11, 18, 24, 29, 35, 42, 38, 33, 34, 42, 55, 64, 66, 60, 46, 28, 13]
/** Visits by day of the week, from Sunday. */
const byWeekday = [80, 72, 74, 82, 98, 140, 125]

/** Draws a time in the 30 days before `end`, in days since their beginning. The number of visits grows from day to day. */
const drawingTimes = (end: number) => {
  const hours = Array.from({ length: days * 24 }, (_, index) => index)
  const draw = drawing(hours, (index) => {
    const day = index / 24
    const local = new Date(end - days * 24 * hour + index * hour + utcOffset)
    const usual = (byHour[local.getUTCHours()] ?? 0) * (byWeekday[local.getUTCDay()] ?? 0)
    return usual * runningOn(day).reduce((sum, { weight }) => sum + weight, 0) * (1 + day / 100)
  })
  return (random: Random) => (draw(random) + random()) / 24
}

const runningOn = (day: number) => campaigns.filter(({ from, to }) => day >= from && day < to)

/** A click of a visit. */
export interface SampleStep {
  readonly action: ClickAction
  readonly product: SampleProduct
  readonly page: string
  /** Milliseconds since the visit began. */
  readonly after: number
}

export interface SampleVisit {
  readonly visitor: SampleVisitor
  readonly session: string
  readonly campaign: SampleCampaign
  readonly steps: ReadonlyArray<SampleStep>
  /** Milliseconds since 1970. */
  readonly start: number
}

/** The clicks of a visit: the visitor views products, compares some, opens some, and goes to the stores of some that were opened. */
const stepsOf = (
  { landing, open, store }: SampleCampaign,
  draw: (random: Random) => SampleProduct,
  random: Random
): ReadonlyArray<SampleStep> => {
  const steps: Array<SampleStep> = []
  let after = 0
  const take = (action: ClickAction, product: SampleProduct, page: string) => {
    steps.push({ action, product, page, after })
    after += Math.round((3 + random() ** 2 * 80) * second)
  }
  do {
    const product = draw(random)
    take("view", product, steps.length === 0 ? landing : "category")
    if (random() < 0.09) take("compare", product, "compare")
    if (random() < open * product.appeal) {
      take("open_product", product, "category")
      if (random() < 0.03) take("other", product, "product")
      if (random() < store) take("open_store", product, "product")
    }
  } while (random() < 0.52)
  return steps
}

/** Generates visits to the sample shop in the 30 days before `end`, without end and in no order. */
export const visits = function* (end: number, random: Random): Generator<SampleVisit> {
  const shown = products(random)
  const drawTime = drawingTimes(end)
  const drawProducts = Array.from({ length: days }, (_, day) =>
    drawing(shown, ({ weightOn }) => weightOn(day))
  )
  const drawCampaigns = Array.from({ length: days }, (_, day) =>
    drawing(runningOn(day), ({ weight }) => weight)
  )
  const visitors: Array<SampleVisitor> = []
  while (true) {
    const time = drawTime(random)
    const day = Math.floor(time)
    const [drawCampaign, drawProduct] = [drawCampaigns[day], drawProducts[day]]
    if (drawCampaign === undefined || drawProduct === undefined) continue
    const campaign = drawCampaign(random)
    const returns = visitors.length > 0 && random() < campaign.returning
    const visitor = returns ? pick(visitors, random) : newVisitor(campaign.mobile, random)
    if (!returns) visitors.push(visitor)
    const steps = stepsOf(campaign, drawProduct, random)
    const latest = end - (steps.at(-1)?.after ?? 0) - second
    const start = Math.min(end - Math.round((days - time) * 24 * hour), latest)
    yield { visitor, session: hex(random, 12), campaign, steps, start }
  }
}
