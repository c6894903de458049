import { Connection } from "./Connection.ts"

/**
 * Requests at a constant rate, whatever the server does. Returns the latencies in milliseconds, each from the moment its request
 * was to be sent: one that finds no connection free waits, and its waiting counts.
 */
export const openLoop = async (
  port: number,
  connections: number,
  rate: number,
  seconds: number
): Promise<ReadonlyArray<number>> => {
  const total = Math.floor(rate * seconds)
  const latencies: Array<number> = []
  const intended = new Map<Connection, number>()
  const idle: Array<Connection> = []
  let sent = 0
  let begin = Number.POSITIVE_INFINITY

  const sendDue = () => {
    const due = Math.min(total, Math.floor(((performance.now() - begin) / 1000) * rate))
    while (sent < due) {
      // In turn: a server closes a connection that is idle for five seconds.
      const connection = idle.shift()
      if (connection === undefined) return
      intended.set(connection, begin + (sent / rate) * 1000)
      sent++
      connection.send()
    }
  }

  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const onAnswer = (connection: Connection) => {
    latencies.push(performance.now() - (intended.get(connection) ?? Number.NaN))
    idle.push(connection)
    if (latencies.length === total) finish()
    sendDue()
  }
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, onAnswer)))
  idle.push(...open)
  begin = performance.now()
  const ticking = setInterval(sendDue, 1)
  await finished
  clearInterval(ticking)
  for (const connection of open) connection.close()
  return latencies
}
