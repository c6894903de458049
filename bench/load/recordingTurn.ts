import type { Run } from "../Benchmark.ts"
import { processorMicros } from "../processes/processorTime.ts"
import type { ServerProcess } from "../processes/ServerProcess.ts"
import { closedLoop } from "./closedLoop.ts"

export interface RecordingTurn {
  /** Requests per second. */
  readonly rate: number
  /** Processor time per request in microseconds: of the service, and of PostgreSQL including its background work. */
  readonly serviceMicros: number
  readonly postgresMicros: number
}

/**
 * A turn of one server, while the others are stopped. Ends the benchmark if a click was only spooled, because that is not
 * comparable with storing it.
 */
export const recordingTurn = async (
  { postgres, quick }: Run,
  server: ServerProcess,
  connections: number
): Promise<RecordingTurn> => {
  const taken = async () => ({
    service: processorMicros(server.process.pid ?? 0),
    postgres: await postgres.processorMicros()
  })
  await postgres.settle()
  server.resume()
  await closedLoop(server.port, connections, quick ? 0.5 : 2)
  const before = await taken()
  const seconds = quick ? 1 : 5
  const { rate, receipts } = await closedLoop(server.port, connections, seconds)
  const after = await taken()
  server.suspend()
  const isComparable = Object.keys(receipts).every((receipt) => receipt === "stored" || receipt === "none")
  if (!isComparable) throw new Error(`Receipts: ${JSON.stringify(receipts)}`)
  return {
    rate,
    serviceMicros: (after.service - before.service) / (rate * seconds),
    postgresMicros: (after.postgres - before.postgres) / (rate * seconds)
  }
}
