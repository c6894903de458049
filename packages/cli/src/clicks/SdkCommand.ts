import { type Command, InvalidArgumentError } from "commander"
import { action, json } from "../process/command.ts"

const help = `
The snippet loads the script from a versioned URL whose content never changes,
and has the browser verify its hash. The URL stays valid when the service is
upgraded. To use a newer script, print the snippet again. /clicks.v1.js is
always the newest version.

The command asks the service at --url whether pages of the shop may record
clicks and read the responses, and exits with 1 if not. A page that cannot read
the responses resends each click for three days.

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
      "Print the snippet that records clicks on the pages of a shop. The command also checks that the service accepts clicks from them."
    )
    .requiredOption("--shop <origin>", "origin of the shop's pages, such as https://shop.example", origin)
    .option(
      "--url <url>",
      "URL at which the shop's visitors reach this service (default: http:// with HOST and PORT)",
      origin
    )
    .option(...json("the snippet and the problem, if any,"))
    .addHelpText("after", help)
    .action(action(() => import("./sdk.ts"), "sdk"))
}
