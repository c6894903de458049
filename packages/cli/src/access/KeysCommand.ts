import { type Command, Option } from "commander"

const help = `
Examples:
  clicks keys create --user anna --role reader --name "Anna's laptop"
  KEY=$(clicks keys create --user deploy --role admin)
  clicks keys list
  clicks keys revoke 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

const load = () => Promise.all([import("../program/run.ts"), import("./keys.ts")])

/** Declares `clicks keys` with what can be done to them. */
export const declareKeys = (program: Command): void => {
  const keys = program
    .command("keys")
    .summary("make, list and revoke API keys")
    .description(
      "Makes, lists and revokes API keys. A reader lists and exports clicks; an admin does everything."
    )
    .addHelpText("after", help)
  keys
    .command("create")
    .description("Makes a key and prints it. This is the only time that it is shown.")
    .requiredOption("--user <id>", "whose key it is; stored as user_id of the clicks it sends")
    .addOption(
      new Option("--role <role>", "what its holder may do").choices(["reader", "admin"]).default("reader")
    )
    .option("--name <text>", "what it is for")
    .option("--json", "print the key and what is stored of it as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys create --user anna --role reader --name dashboard")
    .action(async (options) => {
      const [{ run }, { createKey }] = await load()
      run(createKey(options))
    })
  keys
    .command("list")
    .description("Shows all keys, revoked ones too, newest first; never the keys themselves.")
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys list")
    .action(async (options) => {
      const [{ run }, { listKeys }] = await load()
      run(listKeys(options))
    })
  keys
    .command("revoke")
    .description(
      "Revokes a key, at once and in every process. A process that cannot reach the database grants nothing by any key; clicks still get the user of a key that was valid when the database went away."
    )
    .argument("<id>", 'the id that "clicks keys list" shows')
    .option("--json", "print the key as JSON")
    .addHelpText("after", "\nExample:\n  clicks keys revoke 01a2017a-0e92-7000-a4f7-ab5c81b1b98f")
    .action(async (id, options) => {
      const [{ run }, { revokeKey }] = await load()
      run(revokeKey(id, options))
    })
}
