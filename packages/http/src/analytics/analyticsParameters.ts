import { defaultLimit, groupFields, maxLimit } from "@clicks/core/analytics/AnalyticsQuery"
import { Interval } from "@clicks/core/analytics/Interval"
import { utc } from "@clicks/core/analytics/TimeZone"

type Json = Record<string, unknown>

/** What the declaration, which takes every parameter as text, cannot say: what the texts must be. Null hides one. */
const documented =
  (schemas: Readonly<Record<string, Json | null>>) =>
  (operation: Json): Json => ({
    ...operation,
    parameters: (operation["parameters"] as ReadonlyArray<Json>).flatMap((parameter) => {
      const schema = schemas[String(parameter["name"])]
      if (schema === null) return []
      const { description } = { ...(parameter["schema"] as Json), ...parameter }
      return schema === undefined ? parameter : { ...parameter, description, schema }
    })
  })

const limit = { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit }

export const documentedGroups = documented({
  group_by: { type: "array", items: { type: "string", enum: groupFields }, examples: [["action", "source"]] },
  interval: { type: "string", enum: Interval.literals },
  tz: { type: "string", default: utc, examples: ["Europe/Berlin"] },
  limit
})

export const documentedFunnel = documented({
  action: null,
  group_by: { type: "string", enum: ["campaign_id", "product_id"], default: "campaign_id" },
  limit
})
