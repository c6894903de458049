import { type Command, Option } from "commander"
import { action } from "../process/command.ts"

const help = `
Addresses: clients at a trusted address can read without a key, but are never
admins. The Host header of their requests must name this service (CLICKS_HOSTS).

Domains and patterns (*. matches one label): pages on a trusted domain can read
cross-origin with a key. They can read without a key only if
CLICKS_TRUST_ORIGIN_HEADER is true, which is unsafe: clients can forge the
Origin header.

Running servers apply changes within five minutes. A server applies changes
made through its own API immediately.

Examples:
  clicks origins add 10.0.0.0/8 --name office
  clicks origins add '*.shop.example' --name "shop pages"
  clicks origins list
  clicks origins update 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a --disable
  clicks origins remove 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

const listHelp = `
Column "effect", what the entry grants on a server with the current settings:
  bypass    its clients read without a key
  cors      pages on it read cross-origin, with a key
  disabled  nothing

Example:
  clicks origins list --json`

const load = () => import("./origins.ts")

const kind = (description: string) =>
  new Option("--kind <kind>", description).choices(["address", "domain", "pattern"])

/** Declares `clicks origins` and its subcommands. */
export const declareOrigins = (program: Command): void => {
  const origins = program
    .command("origins")
    .summary("grant read access by address or origin")
    .description("List and change trusted origins: addresses and domains that can read without a key.")
    .addHelpText("after", help)
  origins
    .command("list")
    .description("List all entries, newest first.")
    .option("--json", "print the HTTP API's JSON")
    .addHelpText("after", listHelp)
    .action(action(load, "listOrigins"))
  origins
    .command("add")
    .description("Add an entry.")
    .argument("<value>", "IP address, CIDR range, host name, or *.<host name>")
    .addOption(kind("kind of the value; detected if omitted"))
    .option("--name <text>", "description")
    .option("--allow-everyone", "allow a range wider than /8 (IPv4) or /16 (IPv6)")
    .option("--disabled", "add the entry disabled")
    .option("--json", "print the entry as JSON")
    .addHelpText("after", '\nExample:\n  clicks origins add shop.example --name "The shop"')
    .action(action(load, "addOrigin"))
  origins
    .command("update")
    .description("Change an entry. Omitted options keep their values.")
    .argument("<id>", 'entry id, see "clicks origins list"')
    .addOption(kind("new kind"))
    .option("--value <value>", "new value")
    .option("--name <text>", "new description; an empty text removes it")
    .option("--allow-everyone", "allow a range wider than /8 (IPv4) or /16 (IPv6) as the new value")
    .addOption(new Option("--enable", "enable the entry").conflicts("disable"))
    .option("--disable", "disable the entry")
    .option("--json", "print the entry as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  clicks origins update 01a2017a-0e92-7000-a4f7-ab5c81b1b98f --disable"
    )
    .action(action(load, "updateOrigin"))
  origins
    .command("remove")
    .description("Remove an entry.")
    .argument("<id>", 'entry id, see "clicks origins list"')
    .option("--json", "print the entry as JSON")
    .addHelpText("after", "\nExample:\n  clicks origins remove 01a2017a-0e92-7000-a4f7-ab5c81b1b98f")
    .action(action(load, "removeOrigin"))
}
