import { type Command, Option } from "commander"
import { action } from "../process/command.ts"
import { withProductOptions } from "./ProductOptions.ts"

const help = `
Examples:
  clicks payloads put s-17 menu.json
  curl -s https://shop.example/menu.json | clicks payloads put s-17 -
  clicks payloads query s-17 --category Flower --price-max 40 --sort thc
  clicks payloads query s-17 --search gelato --json | jq .total
  clicks payloads aggregate s-17 --group-by brand`

const putHelp = `
The file contains a JSON array of products, or {"products": [...],
"fetched_at": "..."}, optionally gzipped. Only product_id is required. Invalid
products are rejected and the others are stored. If all are invalid, the store
keeps its products.

Exit codes: 0 success, 1 failure, 2 usage error, 3 success with rejected
products.

Example:
  clicks payloads put s-17 menu.json`

const load = () => import("./payloads.ts")

/** Declares `clicks payloads` and its subcommands. */
export const declarePayloads = (program: Command): void => {
  const payloads = program
    .command("payloads")
    .summary("replace and query the products of a store")
    .description("Replace and query the products of a store.")
    .addHelpText("after", help)
  payloads
    .command("put")
    .description("Replace the products of a store. Creates the store if it does not exist.")
    .argument("<store>", "store id")
    .argument("<file>", "file to read; - for standard input")
    .option("--json", "print the result as JSON")
    .addHelpText("after", putHelp)
    .action(action(load, "putProducts"))
  withProductOptions(
    payloads
      .command("query")
      .description("List matching products of a store, and their total.")
      .argument("<store>", "store id")
  )
    .option("--sort <field>", "name, price, thc, brand or category (default: order of the menu)")
    .option("--order <order>", "asc (default) or desc")
    .option("--limit <count>", "maximum products, 1 to 1000 (default 100)")
    .option("--offset <count>", "products to skip")
    .option("--json", "print the HTTP API's JSON")
    .addHelpText(
      "after",
      "\nExample:\n  clicks payloads query s-17 --category Flower --price-max 40 --sort thc"
    )
    .action(action(load, "queryProducts"))
  withProductOptions(
    payloads
      .command("aggregate")
      .description("Group the products of a store, largest group first.")
      .argument("<store>", "store id")
  )
    .addOption(
      new Option("--group-by <field>", "field to group by").choices(["brand", "category"]).default("category")
    )
    .option("--json", "print the HTTP API's JSON")
    .addHelpText("after", "\nExample:\n  clicks payloads aggregate s-17 --group-by brand")
    .action(action(load, "aggregateProducts"))
}
