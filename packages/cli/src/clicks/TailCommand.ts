import type { Command } from "commander"
import { withFilterOptions } from "./FilterOptions.ts"

const help = `
Each click is printed once, when it is stored, however long ago it happened.
When the database goes away, it is waited for, and what was stored meanwhile
follows. Ctrl-C ends it.

Examples:
  clicks tail
  clicks tail --campaign-id spring-sale
  clicks tail --json | jq -c '{product_id, action}'`

/** Declares `clicks tail`. */
export const declareTail = (program: Command): void => {
  withFilterOptions(program.command("tail"))
    .summary("follow new clicks")
    .description("Prints clicks as they are stored, from now on and without end.")
    .option("--json", "print each click as JSON on a line", false)
    .addHelpText("after", help)
    .action(async (options) => {
      const [{ run }, { tail }] = await Promise.all([import("../program/run.ts"), import("./tail.ts")])
      run(tail(options))
    })
}
