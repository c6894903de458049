import { Effect } from "effect"
import { OwnServer } from "../OwnServer.ts"
import { scale } from "../Scale.ts"
import { acknowledged, lasting, Trial, underLoad } from "../Trial.ts"

const times = scale([500], [30_000, 3000, 500])

/** SIGSTOP of the service, and of all processes of PostgreSQL. */
export const frozen = underLoad(
  {},
  Effect.gen(function* () {
    const server = yield* OwnServer
    const { service } = yield* Trial
    for (const time of times) {
      yield* acknowledged(300)
      service.signal("SIGSTOP")
      yield* lasting(time)
      service.signal("SIGCONT")
      yield* acknowledged(300)
      yield* server.signal("SIGSTOP")
      yield* lasting(time + 2000).pipe(Effect.ensuring(server.signal("SIGCONT")))
    }
    return times.length * 2
  })
)
