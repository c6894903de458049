import type { Command } from "commander"

const collect = (value: string, earlier: ReadonlyArray<string> = []) => [...earlier, value]

/** Declares the filters of products on a command. */
export const withProductOptions = (command: Command): Command =>
  command
    .option("--brand <name>", "products of this brand (repeatable)", collect)
    .option("--category <name>", "products of this category (repeatable)", collect)
    .option("--price-min <dollars>", "minimum price")
    .option("--price-max <dollars>", "maximum price")
    .option("--thc-min <percent>", "minimum THC content")
    .option("--thc-max <percent>", "maximum THC content")
    .option("--in-stock <true|false>", "products in stock, or out of stock")
    .option("--search <text>", "text in name, brand or category")
