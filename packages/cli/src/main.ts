import { readFileSync } from "node:fs"
import { Command, Help } from "commander"
import { declareKeys, declareOpen, declareOrigins } from "./access/AccessCommands.ts"
import { declareStats } from "./analytics/StatsCommand.ts"
import { declareArchive } from "./clicks/archive/ArchiveCommands.ts"
import { declareImport } from "./clicks/ImportCommand.ts"
import { declareLinks } from "./clicks/LinkCommands.ts"
import { declareQuarantine } from "./clicks/QuarantineCommand.ts"
import { declareReading } from "./clicks/reading/ReadCommands.ts"
import { declareSdk } from "./clicks/SdkCommand.ts"
import { declareSpool } from "./clicks/SpoolCommand.ts"
import { declareDemo } from "./clicks/samples/DemoCommand.ts"
import { declareDoctor, declareServers, declareWorker } from "./service/ServiceCommands.ts"
import { declarePayloads, declareStores } from "./stores/StoreCommands.ts"
import { declareSchedules, declareTasks } from "./tasks/TaskCommands.ts"
import { declareCompletion } from "./terminal/completion/CompletionCommand.ts"
import { rootHelp } from "./terminal/rootHelp.ts"
import { declareTop } from "./top/TopCommand.ts"

// This file and the declarations it calls import nothing but commander, so that `--help` does not wait until Effect is loaded.

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

// Only the user may read the files that Clicks writes: the spool, logs, the database password. Child processes inherit the mask.
process.umask(0o077)

const usageError = 2

const program = new Command("clicks")
  .description("Record, list and analyse product clicks.")
  .version(String(version), "-V, --version", "print the version")
  .helpOption("-h, --help", "print this help")
  .helpCommand("help [command]", "print help for a command")
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "clicks: ")) })
  .configureHelp({
    // Wrap descriptions beside long names, too.
    minWidthToWrap: 20,
    optionDescription: (option) =>
      new Help().optionDescription(option).replace("preset: ", "without a value: "),
    formatHelp: (command, help) =>
      command.parent === null ? rootHelp(command, help) : Help.prototype.formatHelp.call(help, command, help)
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : usageError))

const groups = {
  Run: [declareServers, declareWorker, declareDoctor],
  Clicks: [
    declareDemo,
    declareSdk,
    declareImport,
    declareReading,
    declareTop,
    declareStats,
    declareLinks,
    declareSpool,
    declareArchive,
    declareQuarantine
  ],
  Access: [declareOpen, declareKeys, declareOrigins],
  Stores: [declareStores, declarePayloads],
  Tasks: [declareTasks, declareSchedules]
}

for (const [name, declarations] of Object.entries(groups)) {
  program.commandsGroup(name)
  for (const declare of declarations) declare(program)
}

program.commandsGroup("Shell")
declareCompletion(program)

// The list of commands shows the part of each description before the first full stop or colon.
for (const command of program.commands) {
  const [first = ""] = command.description().split(/[.:]/)
  if (command.summary() === "") command.summary(first.charAt(0).toLowerCase() + first.slice(1))
}

const referToHelp = (command: Command, path: string): void => {
  command.showHelpAfterError(`See ${path} --help`)
  for (const each of command.commands) referToHelp(each, `${path} ${each.name()}`)
}

referToHelp(program, program.name())
await program.parseAsync()
