const dayMillis = 86_400_000

/** Whole days from one date to another. */
export const daysBetween = (from: string, before: string): number =>
  (Date.parse(before) - Date.parse(from)) / dayMillis

/** A date some days later. */
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMillis).toISOString().slice(0, 10)
