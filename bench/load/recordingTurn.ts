import type { Run } from "../Benchmark.ts"
import type { ServerProcess } from "../processes/ServerProcess.ts"
import { closedLoop } from "./closedLoop.ts"

/**
 * Requests/s of one server, while the others stand still. Clicks that were not stored but only spooled would not be comparable, so
 * they end the benchmark.
 */
export const recordingTurn = async (
  { postgres, quick }: Run,
  server: ServerProcess,
  connections: number
): Promise<number> => {
  await postgres.settle()
  server.resume()
  await closedLoop(server.port, connections, quick ? 0.5 : 2)
  const { rate, receipts } = await closedLoop(server.port, connections, quick ? 1 : 5)
  server.suspend()
  const isComparable = Object.keys(receipts).every((receipt) => receipt === "stored" || receipt === "none")
  if (!isComparable) throw new Error(`Receipts: ${JSON.stringify(receipts)}`)
  return rate
}
