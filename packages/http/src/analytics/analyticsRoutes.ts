import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import { countFunnels, countGroups } from "./countClicks.ts"

/** Handles the endpoints of `AnalyticsApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "analytics", (handlers) =>
  handlers
    .handle("groups", ({ query: { group_by, ...parameters } }) =>
      countGroups(parameters, [group_by ?? []].flat())
    )
    .handle("funnel", ({ query }) => countFunnels(query))
)
