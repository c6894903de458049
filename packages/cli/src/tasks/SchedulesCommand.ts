import { type Command, Option } from "commander"
import { action, toNumber } from "../process/command.ts"

const help = `
Examples:
  clicks schedules set s-17 --interval-minutes 15
  clicks schedules set s-17 --enabled false
  clicks schedules list
  clicks schedules delete s-17`

const load = () => import("./schedules.ts")

/** Declares `clicks schedules` and its subcommands. */
export const declareSchedules = (program: Command): void => {
  const schedules = program
    .command("schedules")
    .summary("list, set and delete crawl schedules")
    .description("List, set and delete crawl schedules of stores.")
    .addHelpText("after", help)
  schedules
    .command("list")
    .description("List all schedules by store.")
    .option("--json", "print the HTTP API's JSON")
    .addHelpText("after", "\nExample:\n  clicks schedules list --json | jq -r .schedules[].store_id")
    .action(action(load, "listSchedules"))
  schedules
    .command("set")
    .description(
      "Create or update a store's schedule. Omitted options keep their values. The store may be unknown; its crawls fail until it is discovered."
    )
    .argument("<store>", "store id")
    .option(
      "--interval-minutes <minutes>",
      "minutes between crawls, 1 to 1440; required for a new schedule",
      toNumber
    )
    .addOption(
      new Option("--enabled <true|false>", "whether the schedule runs (new schedule: true)").choices([
        "true",
        "false"
      ])
    )
    .option("--priority <number>", "priority of its tasks, -1000 to 1000 (new schedule: 0)", toNumber)
    .option("--json", "print the schedule as JSON")
    .addHelpText("after", "\nExample:\n  clicks schedules set s-17 --interval-minutes 60 --priority 5")
    .action(action(load, "setSchedule"))
  schedules
    .command("delete")
    .description("Delete a store's schedule. Crawls that are already queued still run.")
    .argument("<store>", "store id")
    .option("--json", "print the store's id as JSON")
    .addHelpText("after", "\nExample:\n  clicks schedules delete s-17")
    .action(action(load, "deleteSchedule"))
}
