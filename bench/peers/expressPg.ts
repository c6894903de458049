/** Express and `pg`, one insert per request. */
import { createServer } from "node:http"
import express from "express"
import { announce } from "./announce.ts"
import { InvalidClick, makeInsertClick } from "./insertClick.ts"

const insertClick = makeInsertClick(process.env["DATABASE_URL"])
const app = express()

app.use(express.json())
app.post("/api/events/product-click", async (request, response) => {
  try {
    await insertClick(request.body, request.ip, request.get("user-agent"))
    response.json({ status: "ok" })
  } catch (error) {
    const isInvalid = error instanceof InvalidClick
    response.status(isInvalid ? 400 : 500).json({ status: "error", error: String(error) })
  }
})

const server = createServer(app)
server.listen(0, "127.0.0.1", () => announce(server))
