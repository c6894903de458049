import type { Ranking } from "@clicks/core/analytics/AnalyticsQuery"
import type { CountedRows, CountRequest, CountRow, Counts, Keys } from "@clicks/core/analytics/ClickCounts"
import { moveLater } from "@clicks/core/analytics/Comparison"
import { isTimeAxis, slotOf } from "@clicks/core/analytics/Interval"
import { compareRows } from "@clicks/core/analytics/rankRows"
import type { ClickAction, ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { actions } from "@clicks/core/clicks/ClickFilter"
import { groupedBy } from "@clicks/core/values/groupedBy"
import { visitorOf } from "./visitor.ts"

/** A click of one of the periods, and the row that counts it. */
interface Member {
  readonly click: ClickEvent
  readonly isCurrent: boolean
  readonly keys: Keys
  readonly slot: number | undefined
}

const isUnidentified = ({ click, isCurrent }: Member): boolean => isCurrent && visitorOf(click) === undefined

const visitorsIn = (clicks: ReadonlyArray<ClickEvent>): number | null => {
  const visitors = new Set(clicks.map(visitorOf).filter((name) => name !== undefined)).size
  return visitors === 0 && clicks.length > 0 ? null : visitors
}

const toCounts = (clicks: ReadonlyArray<ClickEvent>, visitors: boolean): Counts => ({
  clicks: clicks.length,
  visitors: visitors ? visitorsIn(clicks) : null,
  actions: Object.fromEntries(
    actions.map((name) => [name, clicks.filter(({ action }) => action === name).length])
  ) as Record<ClickAction, number>
})

const rank = <Row extends CountRow>(
  rows: ReadonlyArray<Row>,
  ranking: Ranking | undefined
): ReadonlyArray<Row> => {
  if (ranking === undefined) return rows
  const { without } = ranking
  return rows
    .filter(
      ({ current }) =>
        without.length === 0 ||
        (current.clicks > 0 && without.every((action) => current.actions[action] === 0))
    )
    .sort(compareRows(ranking))
}

const toMember = (request: CountRequest, click: ClickEvent, isCurrent: boolean): Member => {
  const { axis, earlier, fields, filter } = request
  const isMoved = !isCurrent && earlier !== undefined && axis !== undefined && isTimeAxis(axis)
  const at = isMoved ? moveLater(click.occurred_at, earlier, filter) : click.occurred_at
  return { click, isCurrent, keys: fields.map((field) => click[field]), slot: axis && slotOf(at, axis) }
}

const isWanted =
  ({ actions, only }: CountRequest) =>
  ({ click, keys }: Member): boolean =>
    (actions === undefined || actions.includes(click.action)) &&
    (only === undefined || only.some((first) => first.every((key, index) => key === keys[index])))

/** Counts the rows of a request from the clicks of both periods. */
export const countInMemory = (
  request: CountRequest,
  current: ReadonlyArray<ClickEvent>,
  previous: ReadonlyArray<ClickEvent>
): CountedRows => {
  const { axis, fields, limit, ranking, visitors } = request
  const members = [
    ...current.map((click) => toMember(request, click, true)),
    ...previous.map((click) => toMember(request, click, false))
  ].filter(isWanted(request))
  const isWhole = fields.length === 0 && axis === undefined
  const groups = isWhole
    ? [members]
    : groupedBy(members, ({ keys, slot }) => JSON.stringify([slot, ...keys])).values()
  const rows = Array.from(groups, (group) => {
    const [first] = group
    const clicksOf = (isCurrent: boolean) =>
      group.filter((member) => member.isCurrent === isCurrent).map(({ click }) => click)
    return {
      keys: first?.keys ?? [],
      slot: first?.slot,
      current: toCounts(clicksOf(true), visitors),
      previous: toCounts(clicksOf(false), visitors),
      unidentified: group.filter(isUnidentified).length
    }
  })
  const ranked = rank(rows, ranking)
  return {
    rows: ranked.slice(0, limit).map(({ unidentified: _, ...row }) => row),
    total: ranked.length,
    unidentified: ranked.reduce((sum, { unidentified }) => sum + unidentified, 0)
  }
}
