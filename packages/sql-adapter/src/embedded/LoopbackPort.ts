import { createServer } from "node:net"
import { Effect, Random } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

export const host = "127.0.0.1"

// Below the ports that systems give to outgoing connections (Linux from 32768, others from 49152): such a connection could
// hold the port when the server wants it back, and a client that knocks at a closed port there can even connect to itself.
const lowest = 20_000
const highest = 32_767

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(true))))
  })

/** The preferred port when nothing listens there, else another free one. */
export const choose = Effect.fnUntraced(function* (preferred: number | undefined) {
  if (preferred !== undefined && (yield* isFree(preferred))) return preferred
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = yield* Random.nextIntBetween(lowest, highest)
    if (yield* isFree(port)) return port
  }
  return yield* new EmbeddedPostgresError({
    reason: "StartFailed",
    message: `No free port on ${host}. Free one of the ports ${lowest} to ${highest}, or set DATABASE_URL to a PostgreSQL server.`
  })
})
