import { join } from "node:path"
import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { Disk } from "../PowerCut.ts"
import { scale } from "../Scale.ts"
import { randomMoment, spooled, stored, Trial, underLoad } from "../Trial.ts"

const cuts = scale(1, 12)

/**
 * The power fails while the service spools: written data that was not synced is lost. The system calls show which data was
 * synced, and the spool is reset to that.
 */
export const powerCut = underLoad(
  { batches: 0, perSecond: 300 },
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    const { folder, service } = yield* Trial
    for (let cut = 0; cut < cuts; cut++) {
      yield* stored(50)
      yield* proxy.stop
      yield* Effect.promise(() => service.end("SIGTERM"))
      const trace = join(folder, "trace")
      const disk = new Disk(join(folder, "spool"))
      yield* Effect.promise(() => service.start(trace))
      yield* spooled(100)
      yield* randomMoment(0, 500)
      yield* Effect.promise(() => service.end("SIGKILL"))
      disk.cut(trace)
      yield* proxy.start
      yield* Effect.promise(() => service.start())
    }
    return cuts
  })
)
