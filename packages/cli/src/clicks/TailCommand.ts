import type { Command } from "commander"
import { action } from "../process/command.ts"
import { withFilterOptions } from "./FilterOptions.ts"

const help = `
Each click is printed once, when it is stored, even if it occurred earlier. If
the connection to the database is lost, tail waits and then prints the clicks
stored in the meantime. Stop with Ctrl-C.

Examples:
  clicks tail
  clicks tail --campaign-id spring-sale
  clicks tail --json | jq -c '{product_id, action}'`

/** Declares `clicks tail`. */
export const declareTail = (program: Command): void => {
  withFilterOptions(program.command("tail"))
    .summary("follow new clicks")
    .description("Print new clicks as they are stored.")
    .option("--json", "print clicks as NDJSON", false)
    .addHelpText("after", help)
    .action(action(() => import("./tail.ts"), "tail"))
}
