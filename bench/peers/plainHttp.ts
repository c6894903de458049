/** The upper bound: `node:http` that reads and parses a click and responds, but stores nothing. */
import { createServer } from "node:http"
import { announce } from "./announce.ts"

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.setHeader("content-type", "application/json")
    response.end('{"status":"ok"}')
  })
})

server.listen(0, "127.0.0.1", () => announce(server))
