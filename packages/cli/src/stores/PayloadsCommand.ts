import { type Command, Option } from "commander"
import { withProductOptions } from "./ProductOptions.ts"

const help = `
Examples:
  clicks payloads put s-17 menu.json
  curl -s https://shop.example/menu.json | clicks payloads put s-17 -
  clicks payloads query s-17 --category Flower --price-max 40 --sort thc
  clicks payloads query s-17 --search gelato --json | jq .total
  clicks payloads aggregate s-17 --group-by brand`

const putHelp = `
The file holds a JSON array of products, or {"products": [...],
"fetched_at": "..."}; gzipped or not. Of a product only product_id is required.
An entry that is no product is rejected and the others are kept; when none is
left, the old products stay.

Exit codes: 0 done, 1 failed, 2 used wrongly, 3 done but some were rejected.

Example:
  clicks payloads put s-17 menu.json`

const load = () => Promise.all([import("../program/run.ts"), import("./payloads.ts")])

/** Declares `clicks payloads` with what can be done to them. */
export const declarePayloads = (program: Command): void => {
  const payloads = program
    .command("payloads")
    .summary("put and query the products of a store")
    .description("Puts and queries the products of a store.")
    .addHelpText("after", help)
  payloads
    .command("put")
    .description("Replaces the products of a store; adds the store when it is new.")
    .argument("<store>", "the store's id")
    .argument("<file>", "the file; - is standard input")
    .option("--json", "print the receipt as JSON", false)
    .addHelpText("after", putHelp)
    .action(async (store, file, options) => {
      const [{ run }, { putProducts }] = await load()
      run(putProducts(store, file, options))
    })
  withProductOptions(
    payloads
      .command("query")
      .description("Shows products of a store, and how many match.")
      .argument("<store>", "the store's id")
  )
    .option("--sort <field>", "name, price, thc, brand or category; without it, the menu's own order")
    .option("--order <order>", "asc (default) or desc")
    .option("--limit <count>", "products to show, 1 to 1000 (default 100)")
    .option("--offset <count>", "products to pass over")
    .option("--json", "print what the HTTP API answers", false)
    .addHelpText(
      "after",
      "\nExample:\n  clicks payloads query s-17 --category Flower --price-max 40 --sort thc"
    )
    .action(async (store, options) => {
      const [{ run }, { queryProducts }] = await load()
      run(queryProducts(store, options))
    })
  withProductOptions(
    payloads
      .command("aggregate")
      .description("Groups the products of a store, largest group first.")
      .argument("<store>", "the store's id")
  )
    .addOption(
      new Option("--group-by <field>", "what the groups have in common")
        .choices(["brand", "category"])
        .default("category")
    )
    .option("--json", "print what the HTTP API answers", false)
    .addHelpText("after", "\nExample:\n  clicks payloads aggregate s-17 --group-by brand")
    .action(async (store, options) => {
      const [{ run }, { aggregateProducts }] = await load()
      run(aggregateProducts(store, options))
    })
}
