import { productFilters, productGroupings, productListing } from "@clicks/core/stores/productParameters"
import { pageOf } from "@clicks/core/values/Parameter"
import { type Command, Option } from "commander"
import { action, groupHelp, json } from "../process/command.ts"
import { withParameters } from "../process/parameterOptions.ts"

const storesHelp = `
Examples:
  clicks stores list --state AZ
  clicks stores remove s-17`

const store = ["<store>", "store id"] as const

const loadStores = () => import("./stores.ts")

/** Declares `clicks stores` and its subcommands. */
export const declareStores = (program: Command): void => {
  const stores = program
    .command("stores")
    .description('List and remove stores. Discovery and "clicks payloads put" add stores.')
    .addHelpText(...groupHelp(storesHelp))
  withParameters(stores.command("list"), pageOf("stores"))
    .description("List stores by id.")
    .option("--state <state>", "stores in this two-letter state")
    .option(...json("the stores and their total"))
    .action(action(loadStores, "listStores"))
  stores
    .command("remove")
    .description(
      "Remove a store and its products. If the store directory still lists the store, the next discovery adds it again."
    )
    .argument(...store)
    .option(...json("the id of the removed store"))
    .action(action(loadStores, "removeStore"))
}

const payloadsHelp = `
Examples:
  clicks payloads put s-17 menu.json
  curl -s https://shop.example/menu.json | clicks payloads put s-17 -
  clicks payloads query s-17 --category Flower --price-max 40 --sort thc
  clicks payloads query s-17 --search gelato --json | jq .total
  clicks payloads aggregate s-17 --group-by brand`

const putHelp = `
The file contains a JSON array of products, or
{"products": [...], "fetched_at": "..."}, optionally gzipped. Only product_id is
required. Invalid products are rejected and the others are stored. If all are
invalid, the store keeps its products.

Exit codes: 0 success, 1 failure, 2 usage error, 3 success with rejected
products.`

const loadPayloads = () => import("./payloads.ts")

/** Declares `clicks payloads` and its subcommands. */
export const declarePayloads = (program: Command): void => {
  const payloads = program
    .command("payloads")
    .description("Replace and query the products of a store.")
    .addHelpText(...groupHelp(payloadsHelp))
  payloads
    .command("put")
    .description("Replace the products of a store. Creates the store if it does not exist.")
    .argument(...store)
    .argument("<file>", "file to read; - for standard input")
    .option(...json("the counts and the first errors"))
    .addHelpText("after", putHelp)
    .action(action(loadPayloads, "putProducts"))
  withParameters(payloads.command("query"), { ...productFilters, ...productListing })
    .description("List matching products of a store, and their total.")
    .argument(...store)
    .option(...json("the products and their total"))
    .action(action(loadPayloads, "queryProducts"))
  withParameters(payloads.command("aggregate"), productFilters)
    .description("Group the products of a store, largest group first.")
    .argument(...store)
    .addOption(
      new Option("--group-by <field>", "field to group by").choices(productGroupings).default("category")
    )
    .option(...json("the groups"))
    .action(action(loadPayloads, "aggregateProducts"))
}
