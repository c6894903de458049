import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { followClicks } from "@clicks/core/clicks/followClicks"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { Effect, Stream } from "effect"
import { orUsageError, toParameters } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { toSecond } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { fit } from "../../terminal/Table.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import { type TimeOptions, timeZoneOf } from "../timeOptions.ts"
import { ndjson } from "./ClickLines.ts"

const details = ["campaign_id", "brand_id", "store_id", "visitor_state", "user_id", "url_path"] as const

// Widths that fit nearly every click, so that columns are aligned. A longer value shifts the rest of its line.
const columns = (click: ClickEvent, timeZone: TimeZone): ReadonlyArray<string> => [
  toSecond(click.occurred_at, timeZone),
  click.action.padEnd(12),
  visibleText(click.product_id).padEnd(12),
  visibleText(click.source)
]

const lineIn =
  (timeZone: TimeZone) =>
  (click: ClickEvent): string => {
    const given = details.flatMap((name) =>
      click[name] === null ? [] : [visibleText(`${name}=${click[name]}`)]
    )
    const line = [...columns(click, timeZone), ...given].join("  ")
    return `${Output.isTerminal() ? fit(line, Output.width()) : line}\n`
  }

const follow = {
  onStart: Output.note("Following new clicks. Stop with Ctrl-C"),
  onAway: () => Output.note("Lost connection to the database; waiting"),
  onBack: Output.note("Reconnected to the database")
}

/** `clicks tail`: prints clicks as they are stored, until it is interrupted or its output is closed. */
export const tail = Effect.fn("tail")(function* (options: TimeOptions & Output.Format) {
  const filter = yield* orUsageError(ClickQuery.parseFilter(toParameters(options)))
  const line = options.json ? ndjson.line : lineIn(timeZoneOf(options))
  yield* followClicks(filter, follow).pipe(
    Stream.runForEachArray((clicks) => Output.write(clicks.map(line).join(""))),
    Effect.provide(Database.layer)
  )
})
