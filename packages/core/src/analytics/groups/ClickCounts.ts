import type { Effect } from "effect"
import type { ClickAction } from "../../clicks/ClickEvent.ts"
import type { ClickFilter, EqualityField } from "../../clicks/ClickFilter.ts"
import type { ClickAnalyticsError } from "../ClickAnalyticsError.ts"
import type { EarlierPeriod } from "../Comparison.ts"
import type { Axis } from "../Interval.ts"
import type { Ranking } from "./AnalyticsQuery.ts"

export interface Counts {
  readonly clicks: number
  /** Null if visitors were not counted or no click identifies its visitor. */
  readonly visitors: number | null
  readonly actions: Readonly<Record<ClickAction, number>>
}

/** The values of the fields of a row. */
export type Keys = ReadonlyArray<string | null>

/** Counts of one combination of values and, with an axis, one slot. */
export interface CountRow {
  readonly keys: Keys
  /** Undefined without an axis. */
  readonly slot: number | undefined
  readonly current: Counts
  /** Zeros if nothing is compared. */
  readonly previous: Counts
}

/** A request for rows: one for each combination of values of the fields and slot of the axis that has clicks in one of the periods. */
export interface CountRequest {
  readonly filter: ClickFilter
  /** Also counts the clicks of this earlier period. On a time axis, they count in the slots with which they are compared. */
  readonly earlier?: EarlierPeriod
  /** Counts only these actions. */
  readonly actions?: ReadonlyArray<ClickAction>
  readonly fields: ReadonlyArray<EqualityField>
  readonly axis?: Axis
  readonly visitors: boolean
  /** Counts only these values of the first fields. */
  readonly only?: ReadonlyArray<Keys>
  /** The order of the rows, and which to omit. */
  readonly ranking?: Ranking
  /** Whether to also count all clicks together, if that needs no additional pass. */
  readonly overall?: boolean
  /** The maximum number of rows. */
  readonly limit: number
}

export interface CountedRows {
  readonly rows: ReadonlyArray<CountRow>
  /** The number of rows, ignoring the limit. */
  readonly total: number
  /** The number of clicks of all rows in the current period, ignoring the limit, that identify no visitor. */
  readonly unidentified: number
  /** All clicks together, including those of omitted rows. Undefined if they need a separate request. */
  readonly overall?: Pick<CountRow, "current" | "previous"> | undefined
}

export type CountRows = (request: CountRequest) => Effect.Effect<CountedRows, ClickAnalyticsError>
