// ClickHouse in a process of its own, behind the part of its HTTP interface that the adapter uses:
//   node chdbServer.mjs <folder of chdb> <data folder> <port>
// With an IPC channel it takes one order at a time, for its next insert: "kill" (dies while ClickHouse works), "before" and "after" (closes the
// connection before ClickHouse begins, or instead of the answer). It reports "listening" and "obeyed".
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
  // An insert of a test takes some tens of milliseconds.
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
})
process.once("disconnect", () => process.exit())
server.listen(Number(port), "127.0.0.1", () => {
  process.send?.("listening")
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
})
