import { type Command, Option } from "commander"
import { action, groupHelp, json } from "../process/command.ts"

const keysHelp = `
Examples:
  clicks keys create --user anna --role reader --name "Anna's laptop"
  KEY=$(clicks keys create --user deploy --role admin)
  clicks keys list
  clicks keys revoke 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

const loadKeys = () => import("./keys.ts")

/** Declares `clicks keys` and its subcommands. */
export const declareKeys = (program: Command): void => {
  const keys = program
    .command("keys")
    .description(
      "Create, list and revoke API keys. Readers can list and export clicks; admins can do everything."
    )
    .addHelpText(...groupHelp(keysHelp))
  keys
    .command("create")
    .description("Create a key and print it. It is not shown again.")
    .requiredOption("--user <id>", "user the key belongs to; stored as user_id of clicks sent with it")
    .addOption(new Option("--role <role>", "role of the key").choices(["reader", "admin"]).default("reader"))
    .option("--name <text>", "description")
    .option(...json("the key and its secret"))
    .action(action(loadKeys, "createKey"))
  keys
    .command("list")
    .description(
      "List all keys with id, user, role and last use, newest first. Includes revoked keys. Secrets are not shown."
    )
    .option(...json("the keys, with exact times,"))
    .action(action(loadKeys, "listKeys"))
  keys
    .command("revoke")
    .description(
      "Revoke a key, effective immediately in every process. A process that cannot reach the database accepts no key for reading."
    )
    .argument("<id>", 'key id, see "clicks keys list"')
    .option(...json("the revoked key"))
    .action(action(loadKeys, "revokeKey"))
}

/** Declares `clicks open`. */
export const declareOpen = (program: Command): void => {
  program
    .command("open")
    .summary("open the dashboard, logged in")
    .description(
      "Open the dashboard of the service on this machine, logged in as admin. Prints the link, which works once and expires after a minute."
    )
    .option("--no-browser", "only print the link")
    .option("--json", "print the link as JSON, without opening it")
    .addHelpText("after", "\nExamples:\n  clicks open\n  clicks open --no-browser")
    .action(action(() => import("./openDashboard.ts"), "openDashboard"))
}

const originsHelp = `
Addresses: clients at a trusted address can read without a key, but are never
admins. The Host header of their requests must name this service (CLICKS_HOSTS).

Domains and patterns (*. matches one label): pages on a trusted domain can read
cross-origin with a key, but not /metrics. They can read without a key only if
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
The column "effect" shows what an entry grants with the current settings.`

const loadOrigins = () => import("./origins.ts")

const kind = (description: string) =>
  new Option("--kind <kind>", description).choices(["address", "domain", "pattern"])

/** Declares `clicks origins` and its subcommands. */
export const declareOrigins = (program: Command): void => {
  const origins = program
    .command("origins")
    .description("List and change trusted origins: addresses and domains that can read without a key.")
    .addHelpText(...groupHelp(originsHelp))
  origins
    .command("list")
    .description("List all entries, newest first.")
    .option(...json("the entries and their effects"))
    .addHelpText("after", listHelp)
    .action(action(loadOrigins, "listOrigins"))
  origins
    .command("add")
    .description("Add an entry.")
    .argument("<value>", "IP address, CIDR range, host name, or *.<host name>")
    .addOption(kind("kind of the value; detected if omitted"))
    .option("--name <text>", "description")
    .option("--allow-everyone", "allow a range wider than /8 (IPv4) or /16 (IPv6)")
    .option("--disabled", "add the entry disabled")
    .option(...json("the new entry"))
    .action(action(loadOrigins, "addOrigin"))
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
    .option(...json("the changed entry"))
    .action(action(loadOrigins, "updateOrigin"))
  origins
    .command("remove")
    .description("Remove an entry.")
    .argument("<id>", 'entry id, see "clicks origins list"')
    .option(...json("the removed entry"))
    .action(action(loadOrigins, "removeOrigin"))
}
