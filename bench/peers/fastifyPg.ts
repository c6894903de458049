/** Fastify and `pg`, one insert per request. */
import { fastify } from "fastify"
import { announce } from "./announce.ts"
import { InvalidClick, makeInsertClick } from "./insertClick.ts"

const insertClick = makeInsertClick(process.env["DATABASE_URL"])
const app = fastify()

app.post("/api/events/product-click", async (request, reply) => {
  try {
    await insertClick(request.body, request.ip, request.headers["user-agent"])
    return { status: "ok" }
  } catch (error) {
    const isInvalid = error instanceof InvalidClick
    return reply.code(isInvalid ? 400 : 500).send({ status: "error", error: String(error) })
  }
})

await app.listen({ port: 0, host: "127.0.0.1" })
announce(app.server)
