import { PgConnection } from "@effect/sql-pg"
import { Effect, Queue, type Redacted } from "effect"
import * as Cluster from "./Cluster.ts"
import { host } from "./LoopbackPort.ts"

/** How to log in to the running server. */
export interface Login {
  readonly port: number
  readonly password: Redacted.Redacted
}

const connect = ({ port, password }: Login) =>
  PgConnection.make({
    host,
    port,
    username: Cluster.username,
    password,
    database: Cluster.database,
    applicationName: "clicks: embedded database"
  })

/** Succeeds when the server lets us in; fails while it starts or recovers, and when the password is not its own. */
export const answers = (login: Login) => Effect.scoped(Effect.asVoid(connect(login)))

/** Stays connected and fails when the connection breaks, which is how the death of the server shows at once. */
export const untilLost = (login: Login) =>
  connect(login).pipe(
    Effect.flatMap((connection) => connection.listen("clicks_embedded")),
    Effect.flatMap((notifications) => Effect.forever(Queue.take(notifications))),
    Effect.scoped
  )
