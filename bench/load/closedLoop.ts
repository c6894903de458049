import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./Connection.ts"

/** What a load did. */
export interface LoadResult {
  /** Answers a second, every one a 200. */
  readonly rate: number
  /** How often each `Click-Receipt` came. */
  readonly receipts: Readonly<Record<string, number>>
}

/** As many requests as the server takes: each connection sends its next request when it has its answer. */
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
