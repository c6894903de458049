import { filterParameters } from "@clicks/core/clicks/ClickFilter"
import type { Command } from "commander"
import { withParameters } from "../process/parameterOptions.ts"
import type { TimeOptions } from "./timeOptions.ts"

/** Replaces words such as today with dates. Rejects times that cannot be read, and a range that is empty. */
const readTimes = async (command: Command): Promise<void> => {
  const { readTimeOptions } = await import("./timeOptions.ts")
  const { error, hint, texts } = readTimeOptions(command.opts<TimeOptions>(), new Date())
  if (error !== undefined) command.error(`error: ${error}`)
  if (hint !== undefined) process.stderr.write(`clicks: ${hint}\n`)
  for (const [name, text] of Object.entries(texts)) command.setOptionValue(name, text)
}

const { from, tz, ...others } = filterParameters

/** Declares the filter options on a command. */
export const withFilterOptions = (command: Command): Command =>
  withParameters(command, {
    from: {
      ...from,
      description:
        "clicks at or after this time: 2026-11-01, 2026-11-01T09:30, 2026-11 (start of the month), today, yesterday or 7d (the date 7 days ago)"
    },
    ...others,
    tz: {
      ...tz,
      description:
        "time zone of the times you give and of times in tables, such as Europe/Berlin (default UTC)"
    }
  }).hook("preAction", readTimes)
