// An Express application that records and lists clicks with the core. Prints its port when it listens.
import { ClickRejected, openClicks } from "@clicks/core/promise"
import express from "express"

const clicks = openClicks()
const app = express().use(express.json())

app.post("/clicks", async ({ body, headers }, response) => {
  try {
    response.json(await clicks.record(body, { userAgent: headers["user-agent"] }))
  } catch (error) {
    if (!(error instanceof ClickRejected)) throw error
    response.status(400).json({ error: error.message })
  }
})
app.get("/clicks", async ({ query }, response) => {
  response.json(await clicks.list(query))
})

const server = app.listen(0, "127.0.0.1", () => console.log(server.address().port))
