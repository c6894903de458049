import type { Command } from "commander"
import { action } from "../process/command.ts"

const help = `
Examples:
  clicks stores list --state AZ
  clicks stores remove s-17`

const load = () => import("./stores.ts")

/** Declares `clicks stores` and its subcommands. */
export const declareStores = (program: Command): void => {
  const stores = program
    .command("stores")
    .summary("list and remove stores")
    .description('List and remove stores. Discovery and "clicks payloads put" add stores.')
    .addHelpText("after", help)
  stores
    .command("list")
    .description("List stores by id.")
    .option("--state <state>", "stores in this two-letter state")
    .option("--limit <count>", "maximum stores, 1 to 1000 (default 100)")
    .option("--offset <count>", "stores to skip")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExample:\n  clicks stores list --state AZ")
    .action(action(load, "listStores"))
  stores
    .command("remove")
    .description(
      "Remove a store and its products. If the store directory still lists the store, the next discovery adds it again."
    )
    .argument("<store>", "store id")
    .option("--json", "print the store's id as JSON")
    .addHelpText("after", "\nExample:\n  clicks stores remove s-17")
    .action(action(load, "removeStore"))
}
