import { setTimeout as sleep } from "node:timers/promises"
import { watchMemory } from "../processes/processMemory.ts"
import { ServerProcess, temporaryFolder } from "../processes/ServerProcess.ts"
import { fillSpool } from "../tables/fillSpool.ts"

// A check that timed out reports no depth.
const depthOf = async (server: ServerProcess): Promise<number> => {
  const answer = await fetch(`${server.url}/readyz`)
  const { checks } = (await answer.json()) as {
    readonly checks: { readonly spool: { readonly depth?: number } }
  }
  return checks.spool.depth ?? (await depthOf(server))
}

/** Waits until the spool is empty. */
export const untilDrained = async (server: ServerProcess): Promise<void> => {
  while ((await depthOf(server)) > 0) await sleep(50)
}

/** Clicks/s from the first reading of the depth to the one that finds the spool empty. */
const untilEmpty = async (server: ServerProcess): Promise<number> => {
  const first = await depthOf(server)
  const begin = performance.now()
  await untilDrained(server)
  return first / ((performance.now() - begin) / 1000)
}

/** Starts a service with a filled spool and an available database, and measures while it drains the spool. */
export const drainSpool = async (databaseUrl: string, clicks: number) => {
  const dataDir = temporaryFolder()
  await fillSpool(dataDir, clicks)
  const server = await ServerProcess.clicks(databaseUrl, dataDir)
  const memory = watchMemory(server.process.pid)
  const rate = await untilEmpty(server)
  const result = { rate, memory: memory() }
  await server.stop()
  return result
}
