import { Effect } from "effect"
import { OwnServer } from "../OwnServer.ts"
import { scale } from "../Scale.ts"
import { randomMoment, stored, underLoad } from "../Trial.ts"

const stops = scale(2, 40)

/** PostgreSQL is stopped in immediate mode, or its postmaster is killed, again and again under load. */
export const databaseStopped = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const server = yield* OwnServer
    for (let stop = 0; stop < stops; stop++) {
      yield* stored(200)
      yield* randomMoment(0, 600)
      yield* server.end(stop % 4 === 3 ? "SIGKILL" : "SIGQUIT")
    }
    return stops
  })
)
