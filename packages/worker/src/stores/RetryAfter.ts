/**
 * How long a `Retry-After` header asks to wait, in milliseconds: given as seconds or as a date (RFC 9110, section 10.2.3).
 * Undefined when there is none that can be understood.
 */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
