import { Schema } from "effect"
import { type actions, type EqualityField, equalityFields } from "../../clicks/ClickFilter.ts"
import { instant } from "../../values/Instant.ts"

const key = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The fields of a group: exactly those that were requested. */
export const groupKeys = Object.fromEntries(equalityFields.map((field) => [field, key])) as Record<
  EqualityField,
  typeof key
>

const clicks = Schema.Int.annotate({ examples: [1204] })

const visitors = Schema.NullOr(Schema.Int).annotate({
  description:
    "Distinct visitors, identified by visitor_id or, without one, by user_id or, without one, by ip_address and user_agent. Clicks without any of these are not counted; null if no click has any, or with visitors=false",
  examples: [311]
})

const ActionCounts = Schema.Struct({
  view: Schema.Int,
  open_store: Schema.Int,
  open_product: Schema.Int,
  compare: Schema.Int,
  other: Schema.Int
} satisfies Record<(typeof actions)[number], typeof Schema.Int>).annotate({
  identifier: "ActionCounts",
  description: "Clicks with each action"
})

const actionCounts = Schema.optionalKey(ActionCounts)

const rate = Schema.NullOr(Schema.Finite).annotate({ examples: [0.2] })

const counts = {
  clicks,
  visitors,
  actions: actionCounts,
  previous: Schema.optionalKey(
    Schema.Struct({ clicks, visitors, actions: actionCounts }).annotate({
      identifier: "PreviousCounts",
      description: "The same in the earlier period"
    })
  ),
  change: Schema.optionalKey(
    Schema.Struct({
      clicks: Schema.Int,
      visitors: Schema.NullOr(Schema.Int),
      click_rate: rate,
      visitor_rate: rate
    }).annotate({
      identifier: "Change",
      description:
        "Difference from the earlier period, absolute and as a fraction of it; null if that is 0 or unknown"
    })
  )
}

/** Counts, with the requested parts. */
export const GroupCounts = Schema.Struct(counts).annotate({ identifier: "GroupCounts" })
export interface GroupCounts extends Schema.Schema.Type<typeof GroupCounts> {}

/** The number of clicks that have the same values of the requested fields. */
export const ClickGroup = Schema.Struct({
  ...groupKeys,
  bucket: Schema.optionalKey(
    instant("Start of the bucket in UTC. Days, weeks and months start at midnight in `tz`")
  ),
  weekday: Schema.optionalKey(
    Schema.Int.annotate({ description: "1 is Monday, 7 is Sunday", examples: [1] })
  ),
  hour: Schema.optionalKey(
    Schema.Int.annotate({ description: "0 to 23, on the clocks of `tz`", examples: [13] })
  ),
  ...counts,
  share: Schema.optionalKey(
    Schema.NullOr(Schema.Finite).annotate({
      description: "Fraction of all clicks that match the filters; null if there are none",
      examples: [0.25]
    })
  )
}).annotate({ identifier: "ClickGroup" })
export interface ClickGroup extends Schema.Schema.Type<typeof ClickGroup> {}

/** The earlier period of a comparison. */
export const compared = Schema.optionalKey(
  Schema.Struct({
    from: instant("First instant of the earlier period"),
    to: instant("Last millisecond of the earlier period")
  }).annotate({ identifier: "ComparedPeriod" })
)

/**
 * Groups in the order of the query. With an axis, each group has a row for every slot; rows are ordered by slot, then by group. Groups
 * without clicks are omitted; a query without fields always returns one group.
 */
export const ClickGroups = Schema.Struct({
  groups: Schema.Array(ClickGroup),
  total: Schema.Int.annotate({
    description: "Number of groups, ignoring limit; without group_by, number of rows"
  }),
  totals: Schema.optionalKey(GroupCounts),
  compared
}).annotate({ identifier: "ClickGroups" })
export interface ClickGroups extends Schema.Schema.Type<typeof ClickGroups> {}
