/** A count as people read it: 165,474. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** A count with its noun: 1 row, 2 rows. */
export const countOf = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`
