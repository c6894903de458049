import type { GroupField } from "@clicks/core/analytics/AnalyticsQuery"
import { type Command, Option } from "commander"
import { withFilterOptions } from "../clicks/FilterOptions.ts"
import { action } from "../process/command.ts"

const help = `
Visitors are identified by user_id or, without one, by ip_address and
user_agent. Clicks without any of these are not counted as visitors, and a
note below the table gives their number. If a group has only such clicks, its
number of visitors is shown as –.

Examples:
  clicks stats
  clicks stats --from 2026-11 --before 2026-12 --group-by campaign_id source
  clicks stats --from 7d --before today --interval day --tz Europe/Berlin
  clicks stats --funnel
  clicks stats --funnel product_id --campaign-id spring-sale --json`

const fields: ReadonlyArray<GroupField> = [
  "action",
  "product_id",
  "store_id",
  "brand_id",
  "campaign_id",
  "source",
  "page_type",
  "device_type",
  "visitor_state",
  "visitor_city"
]

const load = () => import("./stats.ts")

/** Declares `clicks stats`. */
export const declareStats = (program: Command): void => {
  withFilterOptions(program.command("stats"))
    .summary("count clicks and visitors")
    .description("Count clicks and visitors by group, over time, or as a conversion funnel.")
    .addOption(
      new Option("--group-by <fields...>", "group by these fields (default: action)").choices(fields)
    )
    .addOption(
      new Option("--interval <interval>", "group by time; weeks start on Monday").choices([
        "hour",
        "day",
        "week",
        "month"
      ])
    )
    .addOption(
      new Option(
        "--funnel [field]",
        "conversion funnel (view, compare, open_product, open_store) by campaign or product"
      )
        .choices(["campaign_id", "product_id"])
        .preset("campaign_id")
        .conflicts(["groupBy", "interval", "action"])
    )
    .option("--limit <count>", "maximum groups, 1 to 10000 (default: 1000; 40 in a table without --interval)")
    .option("--json", "print the HTTP API's JSON")
    .addHelpText("after", help)
    .action(action(load, "stats"))
}
