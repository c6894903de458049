/** An instant in UTC, to the second: 2026-11-20 10:00:00Z. */
export const toSecond = (instant: Date): string => `${instant.toISOString().slice(0, 19).replace("T", " ")}Z`

/** An instant in UTC, to the minute: 2026-11-20 10:00Z. */
export const toMinute = (instant: Date): string => `${toSecond(instant).slice(0, 16)}Z`

/** An instant in UTC without its year, where there is little room: 11-20 10:00Z. */
export const toMinuteOfYear = (instant: Date): string => toMinute(instant).slice(5)
