import { Schema } from "effect"
import { maxHotClicks, maxRows } from "./groups/AnalyticsQuery.ts"

const messages = {
  Unavailable: "The clicks cannot be counted",
  HistoryUnavailable: "The archive of older clicks cannot be reached",
  TooManyHot: `More than ${maxHotClicks.toLocaleString("en-US")} clicks are waiting to be moved to the archive. Analytics are unavailable until fewer are`,
  TooManyRows: `The result would have more than ${maxRows.toLocaleString("en-US")} rows, one per group and bucket. Give from and before, closer together if both are given; lengthen interval; or lower limit`
}

/**
 * Why clicks could not be counted.
 *
 * - `Unavailable`: the store cannot be reached or is too slow.
 * - `HistoryUnavailable`: the archive of older clicks, which the query needs, cannot be reached or is too slow.
 * - `TooManyHot`: more clicks wait to be moved to the archive than can be counted with it (`maxHotClicks`).
 * - `TooManyRows`: the query has too many groups and slots.
 */
export class ClickAnalyticsError extends Schema.TaggedError<ClickAnalyticsError>()("ClickAnalyticsError", {
  operation: Schema.String,
  reason: Schema.Literals(["Unavailable", "HistoryUnavailable", "TooManyHot", "TooManyRows"]),
  cause: Schema.Defect()
}) {
  get isRetryable(): boolean {
    return this.reason !== "TooManyRows"
  }
  override get message(): string {
    const message = messages[this.reason]
    return this.isRetryable ? `${message} (${this.operation})` : message
  }
}

export const tooManyRows = (operation: string): ClickAnalyticsError =>
  new ClickAnalyticsError({ operation, reason: "TooManyRows", cause: undefined })

/** The number of counted clicks that identify no visitor. If it is not 0, the numbers of visitors are incomplete. */
export interface Unidentified {
  readonly unidentified: number
}
