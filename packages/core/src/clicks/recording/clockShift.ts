import { Result } from "effect"
import { plusMillis } from "../../values/Instant.ts"

// Smaller differences are due to the network: a phone takes this long to connect and send.
const least = 2_000

/**
 * Milliseconds to add to the times of a sender whose clock showed `sentAt` when its request was received; 0 if the clock is off by less
 * than 2 seconds.
 */
export const clockShift = (sentAt: Date, receivedAt: number): number => {
  const shift = receivedAt - sentAt.getTime()
  return Math.abs(shift) < least ? 0 : shift
}

const day = 24 * 3_600_000

// No click happens after its receipt; a day allows for a server whose own clock is wrong.
const most = day

// No click waits this long to be sent. A sender's clock that is ahead by more was set after the click.
const mostBack = 30 * day

const ignored = (problem: string) =>
  Result.fail(`sent_at has no effect because it would shift occurred_at ${problem}`)

/** `occurred_at`, shifted. Fails with a reason if the shift shows that `sent_at` is from another clock than `occurred_at`. */
export const shifted = (occurredAt: Date, shift: number, receivedAt: number): Result.Result<Date, string> => {
  const time = plusMillis(occurredAt, shift)
  if (time === undefined) return ignored("out of the range of years 0001 to 9999")
  if (time.getTime() > receivedAt + most) return ignored("to more than a day after receipt")
  return -shift > mostBack && occurredAt.getTime() <= receivedAt + most
    ? ignored("by more than 30 days into the past")
    : Result.succeed(time)
}
