// ClickHouse in its own process, with the part of its HTTP interface that the adapter uses:
//   node chdbServer.mjs <folder of chdb> <data folder> <port>
// Over an IPC channel it accepts one order at a time for its next insert: "kill" (dies during the insert), "before" (closes the connection
// before the insert) or "after" (closes it instead of responding). It reports "listening", "ordered" and "obeyed".
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { text } from "node:stream/consumers"

const [folder, path, port] = process.argv.slice(2)
const { createChdbConnection } = createRequire(join(folder, "package.json"))("chdb/connection")
const chdb = createChdbConnection({ path })

let order

const takeOrder = (sql, socket) => {
  if (order === undefined || !sql.startsWith("insert into")) return false
  const taken = order
  order = undefined
  process.send("obeyed")
  // A test's insert takes some tens of milliseconds.
  if (taken === "kill") setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 80)
  if (taken === "before") socket.destroy()
  return taken === "after"
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, "http://localhost")
  const { query, query_id, ...settings } = Object.fromEntries(searchParams)
  try {
    const body = await text(request)
    const sql = query === undefined ? body : `${query}\n${body}`
    const isCut = takeOrder(sql, request.socket)
    const { stream } = await chdb.exec({ query: sql, clickhouse_settings: settings })
    if (isCut) return request.socket.destroy()
    stream.pipe(response)
  } catch (error) {
    response.writeHead(500).end(String(error.cause?.message ?? error.message))
  }
})

process.on("message", (next) => {
  order = next
  process.send("ordered")
})
process.once("disconnect", () => process.exit())
server.listen(Number(port), "127.0.0.1", () => {
  process.send?.("listening")
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
