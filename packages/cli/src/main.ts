import { readFileSync } from "node:fs"
import { Command } from "commander"
import { declareKeys } from "./access/KeysCommand.ts"
import { declareOrigins } from "./access/OriginsCommand.ts"
import { declareStats } from "./analytics/StatsCommand.ts"
import { declareExport } from "./clicks/ExportCommand.ts"
import { declareImport } from "./clicks/ImportCommand.ts"
import { declareList } from "./clicks/ListCommand.ts"
import { declareQuarantine } from "./clicks/QuarantineCommand.ts"
import { declareSpool } from "./clicks/SpoolCommand.ts"
import { declareTail } from "./clicks/TailCommand.ts"
import { declareService } from "./service/ServiceCommands.ts"
import { declarePayloads } from "./stores/PayloadsCommand.ts"
import { declareStores } from "./stores/StoresCommand.ts"
import { declareSchedules } from "./tasks/SchedulesCommand.ts"
import { declareTasks } from "./tasks/TasksCommand.ts"
import { declareWorker } from "./tasks/WorkerCommand.ts"

// This file and the declarations it calls import nothing but commander: `--help` answers before Effect would be loaded.

const readVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : ""
}

const usedWrongly = 2

const program = new Command("clicks")
  .description("Records product clicks and gives them back.")
  .version(readVersion(), "-V, --version", "print the version")
  .helpOption("-h, --help", "print this help")
  .helpCommand("help [command]", "print the help of a command")
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "clicks: ")) })
  // Descriptions wrap beside long names, too.
  .configureHelp({ minWidthToWrap: 20 })
  .showHelpAfterError("(--help says what it takes)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : usedWrongly))
  .addHelpText(
    "after",
    `
Examples:
  clicks start
  clicks import yesterday.csv.gz
  clicks list --from 7d --campaign-id spring-sale
  clicks complete bash >> ~/.bashrc

Every command has --help with examples and --json for machines.
Exit codes: 0 done, 1 failed, 2 used wrongly, 3 done but rows were rejected.`
  )

declareService(program)
declareWorker(program)
declareImport(program)
declareList(program)
declareExport(program)
declareStats(program)
declareTail(program)
declareSpool(program)
declareQuarantine(program)
declareKeys(program)
declareOrigins(program)
declarePayloads(program)
declareStores(program)
declareTasks(program)
declareSchedules(program)

// Only who completes pays for loading the completion.
if (process.argv[2] === "complete") {
  const { default: declareCompletion } = await import("@bomb.sh/tab/commander")
  declareCompletion(program)
}

await program.parseAsync()
