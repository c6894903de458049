import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from "node:fs"
import { Effect, Schedule } from "effect"
import type { DataFolder } from "./DataFolder.ts"
import { fromFileError } from "./EmbeddedPostgresError.ts"
import { host } from "./LoopbackPort.ts"
import * as PostmasterFile from "./PostmasterFile.ts"
import type { ServerAccount } from "./ServerAccount.ts"
import * as ServerProgram from "./ServerProgram.ts"
import * as ServerReport from "./ServerReport.ts"

export type Settings = Readonly<Record<string, string>>

const largestLog = 10 * 1024 * 1024

const openLog = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestLog) renameSync(file, `${file}.1`)
  const descriptor = openSync(file, "a", 0o600)
  return { descriptor, start: fstatSync(descriptor).size }
}

/** What must hold whatever the cluster's own configuration says: it is reached through loopback only. */
const argumentsOf = (folder: DataFolder, port: number, settings: Settings): ReadonlyArray<string> => {
  const all = { ...settings, port, listen_addresses: host, unix_socket_directories: "" }
  return ["-D", folder.cluster, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])]
}

const isReady = (folder: DataFolder) =>
  PostmasterFile.read(folder.cluster).pipe(Effect.map((postmaster) => postmaster?.status === "ready"))

/**
 * Starts the server in a session of its own, so that neither the end of this process nor a Ctrl-C in its terminal reaches
 * it. Returns when it is ready, or when it ended for a reason that passes; fails for every other reason.
 */
export const launch = Effect.fn("ServerLaunch.launch")(function* (
  folder: DataFolder,
  postgres: { readonly program: string; readonly account: ServerAccount },
  port: number,
  settings: Settings
) {
  const log = yield* Effect.try({ try: () => openLog(folder.log), catch: fromFileError(folder.log) })
  const child = ServerProgram.spawnProgram(
    { ...postgres, args: argumentsOf(folder, port, settings) },
    { detached: true, stdio: ["ignore", log.descriptor, log.descriptor] }
  )
  const ended = new Promise<"exit" | "error">((resolve) => {
    child.once("exit", () => resolve("exit"))
    child.once("error", () => resolve("error"))
  })
  child.unref()
  closeSync(log.descriptor)

  const outcome = yield* Effect.raceFirst(
    Effect.promise(() => ended),
    isReady(folder).pipe(
      Effect.repeat({ until: (ready) => ready, schedule: Schedule.spaced("5 millis") }),
      Effect.as("ready" as const)
    )
  )
  if (outcome === "ready") return
  if (outcome === "error") return yield* ServerProgram.notRunnable(postgres.program)
  const words = yield* Effect.try({
    try: () => readFileSync(folder.log).subarray(log.start).toString(),
    catch: fromFileError(folder.log)
  })
  if (!ServerReport.isPassing(words)) return yield* ServerReport.toError(folder, words)
})
