import { Effect, Option, Result, Schema } from "effect"
import { answerWithin } from "../../answerWithin.ts"
import { PortError } from "../../values/PortError.ts"
import type { Uuid } from "../../values/Uuid.ts"
import { ClickArrivals } from "../ClickArrivals.ts"
import { ClickEvent } from "../ClickEvent.ts"
import { Quarantine } from "./Quarantine.ts"
import { Spool, type SpooledClick } from "./spool/Spool.ts"

/** The status of a recorded click. */
export const ClickStatus = Schema.Struct({
  status: Schema.Literals(["stored", "spooled", "quarantined"]).annotate({
    description:
      "stored: committed to the database. spooled: on the disk of the machine that responds; will be stored when the database is back. quarantined: the database rejected it; only the original is kept"
  }),
  click: Schema.NullOr(ClickEvent).annotate({ description: "null if quarantined" }),
  position: Schema.NullOr(Schema.String).annotate({
    description:
      "Position in the order of arrival. A stream with this as after continues with the clicks of later transactions. null unless stored"
  }),
  reasons: Schema.Array(Schema.String).annotate({
    description: "Why its original is in the quarantine, if it is",
    examples: [["visitor_lat is not a number"]]
  })
}).annotate({ identifier: "ClickStatus" })
export interface ClickStatus extends Schema.Schema.Type<typeof ClickStatus> {}

// Long enough for a busy database. A person waits for the response, and the spool may have the click.
const patience = "3 seconds"

const late = () =>
  Effect.fail(new PortError({ port: "database", operation: "find", cause: `no answer in ${patience}` }))

const inDatabase = (id: Uuid) =>
  answerWithin(
    Effect.gen(function* () {
      const arrival = yield* ClickArrivals.use((arrivals) => arrivals.find(id))
      const reasons = yield* Quarantine.use((quarantine) => quarantine.reasonsOf(id))
      if (Option.isNone(arrival) && reasons.length === 0) return Option.none<ClickStatus>()
      const { click, position } = Option.getOrElse(arrival, () => ({ click: null, position: null }))
      return Option.some<ClickStatus>({
        status: click === null ? "quarantined" : "stored",
        click,
        position,
        reasons
      })
    }),
    patience,
    late
  )

/** The status of a click that waits in the spool. */
export const spooledStatus = ({ event, quarantined }: SpooledClick): ClickStatus => ({
  status: "spooled",
  click: event,
  position: null,
  reasons: quarantined === null ? [] : [quarantined.reason]
})

/**
 * The status of a click; none if neither the database nor the spool of this machine has it. Fails if the spool does not have it and the
 * database is unavailable.
 */
export const clickStatus = Effect.fn("clickStatus")(function* (id: Uuid) {
  const first = yield* Effect.result(inDatabase(id))
  // A click whose original is in the quarantine may still wait in the spool.
  if (Result.isSuccess(first) && Option.exists(first.success, ({ click }) => click !== null))
    return first.success
  const waiting = yield* Spool.use((spool) => spool.find(id))
  if (Option.isSome(waiting)) return Option.some(spooledStatus(waiting.value))
  if (Result.isFailure(first)) return yield* Effect.fail(first.failure)
  // The click may have moved from the spool to the database after the database was queried.
  return yield* inDatabase(id)
})
