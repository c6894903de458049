import { type Command, Option } from "commander"

const help = `
Examples:
  clicks schedules set s-17 --interval-minutes 15
  clicks schedules set s-17 --enabled false
  clicks schedules list
  clicks schedules delete s-17`

const load = () => Promise.all([import("../program/run.ts"), import("./schedules.ts")])

/** Declares `clicks schedules` with what can be done to them. */
export const declareSchedules = (program: Command): void => {
  const schedules = program
    .command("schedules")
    .summary("list, set and delete crawl schedules")
    .description("Lists, sets and deletes the schedules by which stores are crawled again and again.")
    .addHelpText("after", help)
  schedules
    .command("list")
    .description("Shows all schedules, by store.")
    .option("--json", "print what the HTTP API answers", false)
    .addHelpText("after", "\nExample:\n  clicks schedules list --json | jq -r .schedules[].store_id")
    .action(async (options) => {
      const [{ run }, { listSchedules }] = await load()
      run(listSchedules(options))
    })
  schedules
    .command("set")
    .description(
      "Sets a store's schedule; makes it if there is none. What is left out stays as it is. The store need not be known yet; its crawls fail until it is."
    )
    .argument("<store>", "the store's id")
    .option("--interval-minutes <minutes>", "from one crawl to the next, 1 to 1440; a new one needs it")
    .addOption(
      new Option("--enabled <true|false>", "whether it fires (a new one: true)").choices(["true", "false"])
    )
    .option("--priority <number>", "of its crawls, from -1000 to 1000 (a new one: 0)")
    .option("--json", "print the schedule as JSON", false)
    .addHelpText("after", "\nExample:\n  clicks schedules set s-17 --interval-minutes 60 --priority 5")
    .action(async (store, options) => {
      const [{ run }, { setSchedule }] = await load()
      run(setSchedule(store, options))
    })
  schedules
    .command("delete")
    .description("Ends a store's schedule. Crawls that are queued already stay.")
    .argument("<store>", "the store's id")
    .option("--json", "print the store's id as JSON", false)
    .addHelpText("after", "\nExample:\n  clicks schedules delete s-17")
    .action(async (store, options) => {
      const [{ run }, { deleteSchedule }] = await load()
      run(deleteSchedule(store, options))
    })
}
