import type { Command } from "commander"
import { withFilterOptions } from "../clicks/FilterOptions.ts"
import { action } from "../process/command.ts"

const help = `
Shows the clicks that are stored from now on: their rate, the most clicked
products, the campaigns, the last clicks, the spool and the tasks. It
resumes by itself after a database outage. Quit with q or Ctrl-C.

Examples:
  clicks top
  clicks top --campaign-id spring-sale --tz Europe/Berlin`

/** Declares `clicks top`. */
export const declareTop = (program: Command): void => {
  withFilterOptions(program.command("top"))
    .description("Show new clicks, rates and rankings live, in full screen.")
    .summary("show new clicks, rates and rankings live")
    .addHelpText("after", help)
    .action(action(() => import("./top.ts"), "top"))
}
