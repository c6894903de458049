import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickStatus, clickStatus, spooledStatus } from "@clicks/core/clicks/recording/clickStatus"
import { Spool } from "@clicks/core/clicks/recording/Spool"
import { isUuid } from "@clicks/core/values/Uuid"
import * as ClickJson from "@clicks/http/clicks/ClickJson"
import { Effect, Layer, Option } from "effect"
import { orNotFound, UsageError } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import * as Output from "../../terminal/Output.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import * as SpoolLayer from "../SpoolLayer.ts"

const nameWidth = 20

const fieldLine = (name: string, value: unknown): string =>
  `${name.padEnd(nameWidth)}${visibleText(String(value))}`

const fieldsOf = (click: ClickEvent | null): object | null =>
  click === null ? null : JSON.parse(ClickJson.text(click))

const linesOf = ({ click, position, reasons, status }: ClickStatus): ReadonlyArray<string> => {
  const fields = Object.entries(fieldsOf(click) ?? {})
  return [
    fieldLine("status", status),
    ...(position === null ? [] : [fieldLine("position", position)]),
    ...reasons.map((reason) => fieldLine("quarantined", reason)),
    ...fields.flatMap(([name, value]) => (value === null ? [] : [fieldLine(name, value)]))
  ]
}

// While the database is unavailable, the spool can still be read.
const inSpool = (id: string) =>
  Effect.map(
    Spool.use((spool) => spool.find(id)),
    Option.map(spooledStatus)
  ).pipe(Effect.provide(SpoolLayer.layer))

/** `clicks show`. */
export const showClick = Effect.fn("showClick")(function* (given: string, { json }: Output.Format) {
  const id = given.toLowerCase()
  if (!isUuid(id))
    return yield* new UsageError({ message: "The id of a click is a UUID, as in its Click-Id header" })
  const found = yield* clickStatus(id).pipe(
    Effect.provide(Layer.mergeAll(Database.layer, SpoolLayer.layer)),
    Effect.catch((error) =>
      Effect.flatMap(inSpool(id), (found) =>
        Option.isSome(found) ? Effect.succeed(found) : Effect.fail(error)
      )
    )
  )
  const status = yield* orNotFound("click", id)(found)
  if (!json) return yield* Output.line(linesOf(status).join("\n"))
  yield* Output.json({ ...status, click: fieldsOf(status.click) })
})
