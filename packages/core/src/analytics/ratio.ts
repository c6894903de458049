/** A fraction; null if the divisor is 0 or a number is unknown. */
export const ratio = (part: number | null, whole: number | null | undefined): number | null =>
  whole && part !== null ? part / whole : null
