import { styleText } from "node:util"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import stringWidth from "string-width"
import { sparkline } from "../analytics/charts.ts"
import { grouped, toSecond } from "../terminal/format.ts"
import { fit } from "../terminal/Table.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { type Activity, type RankedField, window } from "./Activity.ts"

/** The rest of the screen, without the clicks. */
export interface Surroundings {
  readonly isAway: boolean
  readonly spool: string
  readonly tasks: string
  /** The filter, as typed. */
  readonly filter: string
}

interface Size {
  readonly columns: number
  readonly rows: number
}

const padded = (text: string, width: number): string => {
  const cut = fit(text, Math.max(1, width))
  return cut + " ".repeat(Math.max(0, width - stringWidth(cut)))
}

const title = (text: string) => styleText("bold", text)

const rate = (clicks: number, seconds: number): string =>
  (clicks / seconds).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)}%`

const head = (
  activity: Activity,
  { filter, isAway, spool, tasks }: Surroundings,
  now: number,
  columns: number
) => {
  const perSecond = activity.perSecond(now)
  const since = toSecond(new Date(activity.startedAt)).slice(11)
  const state = isAway ? "Lost connection to the database; waiting" : "q quits"
  const actions = activity.byAction().map(([action, count]) => `${action} ${percent(count, activity.total)}`)
  const cut = (text: string) => fit(text, columns)
  return [
    (isAway ? (text: string) => styleText("red", text) : title)(
      cut(`clicks top  ${filter === "" ? "all clicks" : filter}  (${state})`)
    ),
    cut(
      `${rate(sum(perSecond.slice(-10)), 10)} clicks/s in 10 s  ${rate(sum(perSecond), window)} in a minute  ${grouped(activity.total)} since ${since}`
    ),
    styleText("cyan", sparkline(perSecond, Math.min(columns, window))),
    cut(actions.join("  ")),
    cut(`Spool: ${spool}  Tasks: ${tasks}`),
    ""
  ]
}

const ranking = (
  activity: Activity,
  field: RankedField,
  rows: number,
  columns: number
): ReadonlyArray<string> => {
  const values = activity.ranking(field).slice(0, rows)
  const lines = Array.from({ length: rows }, (_, index) => {
    const [value, count] = values[index] ?? ["", 0]
    const share = value === "" ? "" : `${grouped(count)}  ${percent(count, activity.total).padStart(7)}`
    return `${padded(visibleText(value), columns - 18)}${share.padStart(18)}`
  })
  return [title(padded(field, columns)), ...lines]
}

const feedLine = (click: ClickEvent, timeZone: TimeZone, columns: number): string => {
  const details = [click.campaign_id, click.store_id, click.visitor_city].map((text) =>
    visibleText(text ?? "")
  )
  const [time, action, product] = [
    toSecond(click.occurred_at, timeZone).slice(0, 19),
    click.action.padEnd(12),
    padded(visibleText(click.product_id), Math.min(30, Math.floor(columns / 3)))
  ]
  return fit([time, action, product, ...details].join("  ").trimEnd(), columns)
}

const headRows = 6
const gap = 2

/** The lines of the screen: rates, rankings of products and campaigns side by side, and the last clicks. */
export const frame = (
  activity: Activity,
  surroundings: Surroundings,
  { columns, rows }: Size,
  timeZone: TimeZone,
  now: number
): ReadonlyArray<string> => {
  const rankRows = Math.max(1, Math.floor((rows - headRows - 3) / 2))
  const left = Math.floor((columns - gap) / 2)
  const products = ranking(activity, "product_id", rankRows, left)
  const campaigns = ranking(activity, "campaign_id", rankRows, columns - gap - left)
  const feed = activity.feed.slice(0, Math.max(0, rows - headRows - rankRows - 3))
  return [
    ...head(activity, surroundings, now, columns),
    ...products.map((line, index) => `${line}${" ".repeat(gap)}${campaigns[index] ?? ""}`),
    "",
    title(fit("last clicks", columns)),
    ...feed.map((click) => feedLine(click, timeZone, columns))
  ].slice(0, rows)
}
