import type { Effect } from "effect"
import type { ClickAction } from "../../clicks/ClickEvent.ts"
import type { ClickFilter, EqualityField } from "../../clicks/ClickFilter.ts"
import type { ClickAnalyticsError } from "../ClickAnalyticsError.ts"
import type { EarlierPeriod } from "../Comparison.ts"
import type { Axis } from "../Interval.ts"
import type { Ranking } from "./AnalyticsQuery.ts"

export interface Counts {
  readonly clicks: number
  /** Null: visitors were not counted, or none of the clicks identifies its visitor. */
  readonly visitors: number | null
  readonly actions: Readonly<Record<ClickAction, number>>
}

/** The values of the fields that a row was counted for. */
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

/** Rows to count: one per combination of values of the fields and slot of the axis that has clicks in one of the periods. */
export interface CountRequest {
  readonly filter: ClickFilter
  /** Also counts the clicks of this period, on a time axis in the slots that they are compared with. */
  readonly earlier?: EarlierPeriod
  /** Counts no other actions. */
  readonly actions?: ReadonlyArray<ClickAction>
  readonly fields: ReadonlyArray<EqualityField>
  readonly axis?: Axis
  readonly visitors: boolean
  /** Counts only these values of the first fields. */
  readonly only?: ReadonlyArray<Keys>
  /** The order of the rows, and which are left out. */
  readonly ranking?: Ranking
  /** Whether to count all clicks together too, if the same pass can. */
  readonly overall?: boolean
  /** Most rows to return. */
  readonly limit: number
}

export interface CountedRows {
  readonly rows: ReadonlyArray<CountRow>
  /** Rows, ignoring the limit. */
  readonly total: number
  /** Clicks of all rows in the current period, ignoring the limit, that identify no visitor. */
  readonly unidentified: number
  /** All clicks together, including those of omitted rows. Undefined if they need a request of their own. */
  readonly overall?: Pick<CountRow, "current" | "previous"> | undefined
}

export type CountRows = (request: CountRequest) => Effect.Effect<CountedRows, ClickAnalyticsError>
