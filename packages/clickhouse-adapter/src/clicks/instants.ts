/** Milliseconds from the first instant of year 1 to 1970: hours and days are numbered from there, so that none is negative. */
export const origin = 62_135_596_800_000

/** The shortest unit besides milliseconds in which times are kept. In single minutes, the year 9999 would need more than 32 bits. */
export const minutes = 120_000
export const hour = 3_600_000
export const day = 24 * hour

/** The first and the last instant of a stored click, in milliseconds since 1970. */
const first = -origin
const last = Date.parse("9999-12-31T23:59:59.999Z")

/** Both ends are inclusive, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** All instants that can be stored. */
export const always: Span = { from: first, to: last }

/** The instants of a range that clicks can have; empty (`from` after `to`) if there are none. */
export const spanOf = ({ from, to }: { readonly from?: Date; readonly to?: Date }): Span => ({
  from: Math.max(first, from?.getTime() ?? first),
  to: Math.min(last, to?.getTime() ?? last)
})

export const isEmpty = ({ from, to }: Span): boolean => !(from <= to)

/** A span as whole units, numbered from the origin, and the rest at its ends. */
export interface Split {
  readonly whole: Span | undefined
  readonly edges: ReadonlyArray<Span>
}

/** Splits a span into whole units of this many milliseconds and the rest. */
export const split = (span: Span, width: number): Split => {
  const whole = {
    from: Math.ceil((span.from + origin) / width),
    to: Math.floor((span.to + 1 + origin) / width) - 1
  }
  if (isEmpty(whole)) return { whole: undefined, edges: [span] }
  const edges = [
    { from: span.from, to: whole.from * width - origin - 1 },
    { from: (whole.to + 1) * width - origin, to: span.to }
  ]
  return { whole, edges: edges.filter((edge) => !isEmpty(edge)) }
}
