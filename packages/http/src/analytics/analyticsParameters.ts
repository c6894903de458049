import { defaultLimit, groupFields, maxLimit } from "@clicks/core/analytics/AnalyticsQuery"
import { Interval } from "@clicks/core/analytics/Interval"
import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { utc } from "@clicks/core/values/TimeZone"
import { documented, limit } from "../openapi/documentedParameters.ts"

const parameters = { limit: limit(maxLimit, defaultLimit) }

export const documentedGroups = documented({
  group_by: { type: "array", items: { type: "string", enum: groupFields }, examples: [["action", "source"]] },
  interval: { type: "string", enum: Interval.literals },
  tz: { type: "string", default: utc, examples: ["Europe/Berlin"] },
  action: { type: "string", enum: ClickAction.literals },
  ...parameters
})

export const documentedFunnel = documented({
  action: null,
  group_by: { type: "string", enum: ["campaign_id", "product_id"], default: "campaign_id" },
  ...parameters
})
