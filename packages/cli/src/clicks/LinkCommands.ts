import { actions } from "@clicks/core/clicks/ClickFilter"
import { type Command, Option } from "commander"
import { action, groupHelp, json } from "../process/command.ts"

const help = `
Following a link records its click, then redirects to its destination. A link
contains its destination and its click, signed with a secret in the database,
so a changed or forged link does not work.

A link works as long as the database keeps its secret. A new database has
another secret, and so has one restored from a backup that was made before the
first link. A single link cannot be revoked.

Examples:
  clicks links create --to https://shop.example/p-1001 --product p-1001 \\
    --campaign spring-sale --base https://clicks.example`

/** Declares `clicks links`. */
export const declareLinks = (program: Command): void => {
  const links = program
    .command("links")
    .description("Create links that record a click and redirect.")
    .addHelpText(...groupHelp(help))
  links
    .command("create")
    .description("Create a signed link and print it. Links are not stored.")
    .requiredOption("--to <url>", "destination: an http or https URL")
    .requiredOption("--product <id>", "product_id of the click")
    .option("--campaign <id>", "campaign_id of the click")
    .option("--store <id>", "store_id of the click")
    .option("--brand <id>", "brand_id of the click")
    .addOption(
      new Option("--action <action>", "action of the click").choices(actions).default("open_product")
    )
    .option("--source <source>", "source of the click", "link")
    .option("--base <url>", "public URL of this service (default: the listening address)")
    .option(...json("the URL and the fields of the link"))
    .action(action(() => import("./links.ts"), "createLink"))
}
