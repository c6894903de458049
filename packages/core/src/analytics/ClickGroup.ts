import { Schema } from "effect"
import { compareCodePoints } from "../values/Text.ts"
import { type AnalyticsQuery, type GroupField, groupFields } from "./AnalyticsQuery.ts"

const key = Schema.optionalKey(Schema.NullOr(Schema.String))

const keys = Object.fromEntries(groupFields.map((field) => [field, key])) as Record<GroupField, typeof key>

/** How many clicks agree in the fields that were asked for; those fields, and no others, are there. */
export const ClickGroup = Schema.Struct({
  ...keys,
  bucket: Schema.optionalKey(
    Schema.DateFromString.pipe(
      Schema.annotateEncoded({
        description: "Start of the bucket in UTC. Days, weeks and months start at midnight in `tz`",
        format: "date-time",
        examples: ["2026-11-19T23:00:00.000Z"]
      })
    )
  ),
  clicks: Schema.Int.annotate({ examples: [1204] }),
  visitors: Schema.NullOr(Schema.Int).annotate({
    description:
      "Distinct visitors, identified by user_id or, without one, by ip_address and user_agent. Clicks without any of these are not counted; null if no click has any",
    examples: [311]
  })
}).annotate({ identifier: "ClickGroup" })
export interface ClickGroup extends Schema.Schema.Type<typeof ClickGroup> {}

/**
 * Groups in order: by bucket, then most clicks first, then by the fields in the order they were asked for, by code point,
 * null last. Groups without clicks are left out; only the one group of a query that asks for no groups is always there.
 */
export const ClickGroups = Schema.Struct({
  groups: Schema.Array(ClickGroup),
  total: Schema.Int.annotate({ description: "Number of groups, ignoring limit" })
}).annotate({ identifier: "ClickGroups" })
export interface ClickGroups extends Schema.Schema.Type<typeof ClickGroups> {}

/** Orders the values of a field: by code point, null last. */
export const compareKeys = (a: string | null | undefined, b: string | null | undefined): number => {
  if (typeof a !== "string" || typeof b !== "string")
    return Number(typeof a !== "string") - Number(typeof b !== "string")
  return compareCodePoints(a, b)
}

/** The order in which groups are answered. */
export const compareGroups =
  ({ groupBy }: Pick<AnalyticsQuery, "groupBy">) =>
  (a: ClickGroup, b: ClickGroup): number =>
    (a.bucket?.getTime() ?? 0) - (b.bucket?.getTime() ?? 0) ||
    b.clicks - a.clicks ||
    groupBy.reduce((order, field) => order || compareKeys(a[field], b[field]), 0)
