import { type Command, InvalidArgumentError } from "commander"
import { action, json } from "../process/command.ts"

const help = `
The snippet loads the script from a versioned URL, whose content never
changes, and lets the browser verify it. Upgraded services keep serving it.
To include a newer script, print the snippet again. /clicks.v1.js is always the
newest.

Asks the service at --url whether pages of the shop may record clicks and read
the responses. Exits with 1 if not: such a page cannot see that its clicks are
stored, and resends each of them for three days.

Examples:
  clicks sdk --shop https://shop.example
  clicks sdk --shop https://shop.example --url https://clicks.example`

const origin = (text: string): string => {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text))
    return url.origin
  throw new InvalidArgumentError("Expected an origin such as https://shop.example.")
}

/** Declares `clicks sdk`. */
export const declareSdk = (program: Command): void => {
  program
    .command("sdk")
    .description(
      "Print the snippet for the pages of a shop: it records their clicks. Checks that the shop may use it."
    )
    .requiredOption("--shop <origin>", "origin of the shop's pages, such as https://shop.example", origin)
    .option(
      "--url <url>",
      "address of this service for the visitors of the shop (default: http:// with HOST and PORT)",
      origin
    )
    .option(...json("the snippet and whether the shop may use it"))
    .addHelpText("after", help)
    .action(action(() => import("./sdk.ts"), "sdk"))
}
