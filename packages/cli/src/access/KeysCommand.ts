import { type Command, Option } from "commander"
import { action } from "../process/command.ts"

const help = `
Examples:
  clicks keys create --user anna --role reader --name "Anna's laptop"
  KEY=$(clicks keys create --user deploy --role admin)
  clicks keys list
  clicks keys revoke 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

const load = () => import("./keys.ts")

/** Declares `clicks keys` and its subcommands. */
export const declareKeys = (program: Command): void => {
  const keys = program
    .command("keys")
    .summary("create, list and revoke API keys")
    .description(
      "Create, list and revoke API keys. Readers can list and export clicks; admins can do everything."
    )
    .addHelpText("after", help)
  keys
    .command("create")
    .description("Create a key and print it. It is not shown again.")
    .requiredOption("--user <id>", "user the key belongs to; stored as user_id of clicks sent with it")
    .addOption(new Option("--role <role>", "role of the key").choices(["reader", "admin"]).default("reader"))
    .option("--name <text>", "description")
    .option("--json", "print the key and its record as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys create --user anna --role reader --name dashboard")
    .action(action(load, "createKey"))
  keys
    .command("list")
    .description(
      "List all keys with id, user, role and last use, newest first. Includes revoked keys. Secrets are not shown."
    )
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys list")
    .action(action(load, "listKeys"))
  keys
    .command("revoke")
    .description(
      "Revoke a key, effective immediately in every process. While a process cannot reach the database, no key grants read access."
    )
    .argument("<id>", 'key id, see "clicks keys list"')
    .option("--json", "print the key as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys revoke 01a2017a-0e92-7000-a4f7-ab5c81b1b98f")
    .action(action(load, "revokeKey"))
}
