import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./Connection.ts"

/** The result of a load. */
export interface LoadResult {
  /** Responses per second, all with status 200. */
  readonly rate: number
  /** Responses by `Click-Receipt`. */
  readonly receipts: Readonly<Record<string, number>>
}

/** Sends as many requests as the server can process: each connection sends its next request when it has received its response. */
export const closedLoop = async (port: number, connections: number, seconds: number): Promise<LoadResult> => {
  const receipts: Record<string, number> = {}
  let isOver = false
  const onAnswer = (connection: Connection, receipt: string) => {
    if (isOver) return
    receipts[receipt] = (receipts[receipt] ?? 0) + 1
    connection.send()
  }
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, onAnswer)))
  const begin = performance.now()
  for (const connection of open) connection.send()
  await sleep(seconds * 1000)
  isOver = true
  const elapsed = (performance.now() - begin) / 1000
  for (const connection of open) connection.close()
  const answers = Object.values(receipts).reduce((sum, count) => sum + count, 0)
  return { rate: answers / elapsed, receipts }
}
