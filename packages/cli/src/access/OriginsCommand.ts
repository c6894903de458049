import { type Command, Option } from "commander"

const help = `
An address makes whoever comes from there a reader without a credential; never
an admin. The request must name this service in its Host header (CLICKS_HOSTS).
A domain or pattern (*. stands for one label) lets pages of that
origin read across origins, with a credential; only where
CLICKS_TRUST_ORIGIN_HEADER is true does it make a reader, since anybody can
write an Origin header. Servers that run notice a change within five minutes;
one that is made over their own API, at once.

Examples:
  clicks origins add 10.0.0.0/8 --name office
  clicks origins add '*.shop.example' --name "shop pages"
  clicks origins list
  clicks origins update 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a --disable
  clicks origins remove 019aa0d2-5c00-7000-8000-5f2b0c9d1e3a`

const load = () => Promise.all([import("../program/run.ts"), import("./origins.ts")])

const kind = () => new Option("--kind <kind>", "what the value is").choices(["address", "domain", "pattern"])

/** Declares `clicks origins` with what can be done to them. */
export const declareOrigins = (program: Command): void => {
  const origins = program
    .command("origins")
    .summary("allow reading by address or by origin")
    .description("Lists and changes the trusted origins: who reads without a credential.")
    .addHelpText("after", help)
  origins
    .command("list")
    .description("Shows all entries, newest first.")
    .option("--json", "print what the HTTP API answers", false)
    .addHelpText("after", "\nExample:\n  clicks origins list --json")
    .action(async (options) => {
      const [{ run }, { listOrigins }] = await load()
      run(listOrigins(options))
    })
  origins
    .command("add")
    .description("Adds an entry.")
    .argument("<value>", "an IP address, a CIDR range, a host name, or *. and a host name")
    .addOption(kind())
    .option("--name <text>", "what it is for")
    .option("--allow-everyone", "accept 0.0.0.0/0 and ::/0", false)
    .option("--disabled", "without effect until it is enabled", false)
    .option("--json", "print the entry as JSON", false)
    .addHelpText("after", '\nExample:\n  clicks origins add shop.example --name "The shop"')
    .action(async (value, options) => {
      const [{ run }, { addOrigin }] = await load()
      run(addOrigin(value, options))
    })
  origins
    .command("update")
    .description("Changes what is given of an entry.")
    .argument("<id>", 'the id that "clicks origins list" shows')
    .addOption(kind())
    .option("--value <value>", "the new value")
    .option("--name <text>", "the new name; an empty text takes it away")
    .option("--allow-everyone", "accept 0.0.0.0/0 and ::/0 as the new value")
    .addOption(new Option("--enable", "let it have an effect").conflicts("disable"))
    .option("--disable", "let it have no effect")
    .option("--json", "print the entry as JSON", false)
    .addHelpText(
      "after",
      "\nExample:\n  clicks origins update 01a2017a-0e92-7000-a4f7-ab5c81b1b98f --disable"
    )
    .action(async (id, options) => {
      const [{ run }, { updateOrigin }] = await load()
      run(updateOrigin(id, options))
    })
  origins
    .command("remove")
    .description("Takes an entry away.")
    .argument("<id>", 'the id that "clicks origins list" shows')
    .option("--json", "print the entry as JSON", false)
    .addHelpText("after", "\nExample:\n  clicks origins remove 01a2017a-0e92-7000-a4f7-ab5c81b1b98f")
    .action(async (id, options) => {
      const [{ run }, { removeOrigin }] = await load()
      run(removeOrigin(id, options))
    })
}
