import {
  funnelFields,
  funnelParameters,
  groupParameters,
  pairParameters,
  visitorParameters
} from "@clicks/core/analytics/analyticsParameters"
import { type Command, Option } from "commander"
import { withFilterOptions } from "../clicks/FilterOptions.ts"
import { action, toNumber } from "../process/command.ts"
import { withParameters } from "../process/parameterOptions.ts"

const help = `
Visitors are identified by visitor_id or, without one, by user_id or, without
one, by ip_address and user_agent. Clicks without any of these are not counted
as visitors, and a note below the table gives their number. If a group has only
such clicks, its number of visitors is shown as –.

Examples:
  clicks stats
  clicks stats --group-by product_id --compare previous --from 7d --before today
  clicks stats --group-by product_id --pivot action --sort view --limit 20
  clicks stats --group-by campaign_id source --totals --from 2026-11
  clicks stats --interval day --from 30d --tz Europe/Berlin
  clicks stats --bucket hour-of-week --from 30d --tz Europe/Berlin
  clicks stats --group-by product_id --without open_product --sort view
  clicks stats --funnel product_id --campaign-id spring-sale
  clicks stats --returning --interval week
  clicks stats --pairs --format csv > pairs.csv`

const { group_by, limit: _, totals: __, visitors: ___, ...others } = groupParameters
const { group_by: ____, ...funnel } = funnelParameters

/** The statistics beside groups, with their parameters. */
const statistics = { funnel, returning: visitorParameters, cohorts: {}, pairs: pairParameters }

/** The options that a statistic does not accept: the other statistics, and the parameters of groups that it does not have. */
const conflictsOf = (statistic: keyof typeof statistics): Array<string> => [
  ...Object.keys(statistics).filter((other) => other !== statistic),
  ...Object.keys(groupParameters)
    .filter((name) => !(name in statistics[statistic]))
    .map((name) => (name === "group_by" ? "groupBy" : name))
]

const load = () => import("./stats.ts")

const withGroupOptions = (command: Command): Command =>
  withParameters(command, {
    group_by: { ...group_by, description: "group by one or two fields (default: action)" },
    ...others
  })
    .option("--totals", "also show the total clicks and visitors, and each group's share of the clicks")
    .option("--no-visitors", "count clicks only, which is faster")

const withOtherStatistics = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--funnel [field]",
        "conversion funnel by a field, with the steps view, open_product and open_store; compare is counted beside them"
      )
        .choices(funnelFields)
        .preset("campaign_id")
        .conflicts([...conflictsOf("funnel"), "action"])
    )
    .addOption(
      new Option("--returning", "new and returning visitors over time").conflicts(conflictsOf("returning"))
    )
    .addOption(
      new Option("--cohorts", "visitors by week of first click, and how many returned").conflicts(
        conflictsOf("cohorts")
      )
    )
    .addOption(
      new Option("--pairs", "pairs of products that were clicked in one visit").conflicts(
        conflictsOf("pairs")
      )
    )

/** Declares `clicks stats`. */
export const declareStats = (program: Command): void => {
  const command = withFilterOptions(program.command("stats"))
    .summary("count clicks and visitors")
    .description("Count clicks and visitors by group, over time, or as a conversion funnel.")
  withOtherStatistics(withGroupOptions(command))
    .option(
      "--limit <count>",
      "maximum groups, 1 to 10000 (default: 1000; 40 in a table; 20 with --interval or --bucket)"
    )
    .addOption(
      new Option("--format <format>", "output format").choices(["table", "json", "csv"]).default("table")
    )
    .option("--json", "print the HTTP API's JSON; same as --format json")
    .addOption(
      new Option("--watch [seconds]", "repeat at this interval, in seconds, until Ctrl-C")
        .argParser(toNumber)
        .preset("2")
    )
    .addHelpText("after", help)
    .action(action(load, "stats"))
}
