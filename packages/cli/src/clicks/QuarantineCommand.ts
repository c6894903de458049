import type { Command } from "commander"

const help = `
A click is stored also when one of its values cannot be, such as "north" as a
latitude. The value is left out, and what was sent is kept in the quarantine
with the reason. What the database refuses as a whole is kept there alone.

Examples:
  clicks quarantine list
  clicks quarantine list --limit 1000 --json | jq -r .entries[].original
  clicks quarantine clear --before 2026-11-01`

const load = () => Promise.all([import("../program/run.ts"), import("./quarantine.ts")])

/** Declares `clicks quarantine` with what can be done to it. */
export const declareQuarantine = (program: Command): void => {
  const quarantine = program
    .command("quarantine")
    .summary("look at what was sent and could not be stored")
    .description("Shows what was sent and could not be stored as it was, and forgets what was looked at.")
    .addHelpText("after", help)
  quarantine
    .command("list")
    .description("Shows the newest entries with their reasons, and how many there are.")
    .option("--limit <count>", "entries to show, 1 to 1000 (default 100)")
    .option("--json", "print them as JSON, with the click's id and what was sent")
    .addHelpText("after", "\nExample:\n  clicks quarantine list --limit 20")
    .action(async (options) => {
      const [{ run }, { listQuarantine }] = await load()
      run(listQuarantine(options))
    })
  quarantine
    .command("clear")
    .description("Forgets entries for good. Clicks that were stored stay.")
    .requiredOption("--before <time>", "entries received before this time; ISO 8601, without an offset UTC")
    .option("--json", "print how many they were as JSON")
    .addHelpText("after", "\nExample:\n  clicks quarantine clear --before 2026-11-01")
    .action(async (options) => {
      const [{ run }, { clearQuarantine }] = await load()
      run(clearQuarantine(options))
    })
}
