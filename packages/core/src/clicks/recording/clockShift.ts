// Smaller differences are network time: a phone takes this long to connect and send.
const least = 2_000

/**
 * Milliseconds to add to the times of a sender whose clock showed `sentAt` when its request was received; 0 if the clock is
 * right within 2 seconds.
 */
export const clockShift = (sentAt: Date, receivedAt: number): number => {
  const shift = receivedAt - sentAt.getTime()
  return Math.abs(shift) < least ? 0 : shift
}
