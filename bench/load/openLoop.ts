import { Connection } from "./Connection.ts"

export interface OpenLoopResult {
  /** Milliseconds, of the requests after the warm-up. */
  readonly latencies: ReadonlyArray<number>
  /** Responses by `Click-Receipt`, including the warm-up. */
  readonly receipts: Readonly<Record<string, number>>
}

/** The progress of a load. */
export interface Progress {
  sent: number
  answered: number
}

/**
 * Sends requests at a constant rate for `warmUp` and then `seconds`, however slow the server is. Latency counts from the scheduled
 * time of a request, so it includes the wait for a free connection.
 */
export const openLoop = async (
  port: number,
  connections: number,
  rate: number,
  warmUp: number,
  seconds: number,
  progress: Progress = { sent: 0, answered: 0 }
): Promise<OpenLoopResult> => {
  const total = Math.floor(rate * (warmUp + seconds))
  const latencies: Array<number> = []
  const receipts: Record<string, number> = {}
  const intended = new Map<Connection, number>()
  const idle: Array<Connection> = []
  let sent = 0
  let answered = 0
  let begin = Number.POSITIVE_INFINITY

  const sendDue = () => {
    const due = Math.min(total, Math.floor(((performance.now() - begin) / 1000) * rate))
    while (sent < due) {
      // Connections are used in turn, because a server closes a connection that is idle for five seconds.
      const connection = idle.shift()
      if (connection === undefined) return
      intended.set(connection, begin + (sent / rate) * 1000)
      sent++
      progress.sent++
      connection.send()
    }
  }

  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const onAnswer = (connection: Connection, receipt: string) => {
    receipts[receipt] = (receipts[receipt] ?? 0) + 1
    progress.answered++
    const due = intended.get(connection) ?? Number.NaN
    if (due >= begin + warmUp * 1000) latencies.push(performance.now() - due)
    idle.push(connection)
    if (++answered === total) finish()
    sendDue()
  }
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, onAnswer)))
  idle.push(...open)
  begin = performance.now()
  const ticking = setInterval(sendDue, 1)
  await finished
  clearInterval(ticking)
  for (const connection of open) connection.close()
  return { latencies, receipts }
}
