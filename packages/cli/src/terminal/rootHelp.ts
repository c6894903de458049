import type { Command, Help } from "commander"

const indent = "  "

// Listed without descriptions, so that the help fits a terminal of 24 lines.
const rare = new Set([
  "archive",
  "completion",
  "migrate",
  "payloads",
  "quarantine",
  "schedules",
  "sdk",
  "spool"
])

/** The help of `clicks` itself: all commands by group, within 24 terminal lines including the next prompt. */
export const rootHelp = (program: Command, help: Help): string => {
  const all = help.visibleCommands(program).filter((command) => command.name() !== "help")
  const commands = all.filter((command) => !rare.has(command.name()))
  const groupWidth = Math.max(...commands.map((command) => command.helpGroup().length))
  const nameWidth = Math.max(...commands.map((command) => command.name().length))
  const lines = commands.map((command, index) => {
    const isFirst = commands[index - 1]?.helpGroup() !== command.helpGroup()
    const group = isFirst ? command.helpGroup() : ""
    const name = command.name().padEnd(nameWidth)
    return [indent + group.padEnd(groupWidth), name, help.subcommandDescription(command)].join(indent)
  })
  return [
    "Usage: clicks <command> [options]   (<command> --help: options and examples)",
    "",
    ...lines,
    [indent + "More".padEnd(groupWidth), Array.from(rare).join(" ")].join(indent),
    "",
    "Exit codes: 0 success, 1 failure, 2 usage error, 3 success with rejected rows.",
    ""
  ].join("\n")
}
