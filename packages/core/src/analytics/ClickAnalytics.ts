import { Context, type Effect, Schema } from "effect"
import type { AnalyticsQuery } from "./AnalyticsQuery.ts"
import type { ClickGroups } from "./ClickGroup.ts"
import type { FunnelQuery, Funnels } from "./Funnel.ts"

/**
 * Why clicks could not be counted.
 *
 * - `Unavailable`: the store cannot be reached or is too slow.
 * - `UnknownTimeZone`: the store does not know the time zone of the query, though this runtime does.
 */
export class ClickAnalyticsError extends Schema.TaggedError<ClickAnalyticsError>()("ClickAnalyticsError", {
  operation: Schema.String,
  reason: Schema.Literals(["Unavailable", "UnknownTimeZone"]),
  cause: Schema.Defect()
}) {
  get isRetryable(): boolean {
    return this.reason === "Unavailable"
  }
  override get message(): string {
    return this.reason === "Unavailable"
      ? `The clicks cannot be counted (${this.operation})`
      : "tz is a time zone that the database does not know"
  }
}

/** The counted clicks that identify no visitor. If there are any, the numbers of visitors are incomplete. */
export interface Unidentified {
  readonly unidentified: number
}

/** Counts the clicks that are stored. Each answer is of one moment. */
export class ClickAnalytics extends Context.Service<
  ClickAnalytics,
  {
    /** Clicks and visitors per group. What the fields, the order and the limit mean stands at `ClickGroup`. */
    readonly groups: (query: AnalyticsQuery) => Effect.Effect<ClickGroups & Unidentified, ClickAnalyticsError>
    /** The steps from view to open_store per campaign or product. */
    readonly funnel: (query: FunnelQuery) => Effect.Effect<Funnels & Unidentified, ClickAnalyticsError>
  }
>()("@clicks/core/analytics/ClickAnalytics") {}
