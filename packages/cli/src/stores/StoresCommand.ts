import type { Command } from "commander"

const help = `
Examples:
  clicks stores list --state AZ
  clicks stores remove s-17`

const load = () => Promise.all([import("../program/run.ts"), import("./stores.ts")])

/** Declares `clicks stores` with what can be done to them. */
export const declareStores = (program: Command): void => {
  const stores = program
    .command("stores")
    .summary("list and remove stores")
    .description("Lists and removes stores. Discovery finds them; putting a payload adds one too.")
    .addHelpText("after", help)
  stores
    .command("list")
    .description("Shows the stores that are known, by id.")
    .option("--state <state>", "stores in this state, two letters")
    .option("--limit <count>", "stores to show, 1 to 1000 (default 100)")
    .option("--offset <count>", "stores to pass over")
    .option("--json", "print them as JSON", false)
    .addHelpText("after", "\nExample:\n  clicks stores list --state AZ")
    .action(async (options) => {
      const [{ run }, { listStores }] = await load()
      run(listStores(options))
    })
  stores
    .command("remove")
    .description(
      "Forgets a store and its products. A directory that lists it brings it back with the next discovery."
    )
    .argument("<store>", "the store's id")
    .option("--json", "print the store's id as JSON", false)
    .addHelpText("after", "\nExample:\n  clicks stores remove s-17")
    .action(async (store, options) => {
      const [{ run }, { removeStore }] = await load()
      run(removeStore(store, options))
    })
}
