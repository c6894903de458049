/** Numbers from 0 to below 1 that depend only on the seed. */
export type Random = () => number

/** A xorshift generator of 32 bits: the same seed gives the same numbers on every machine. */
export const seeded = (seed: number): Random => {
  // Unmixed, neighbouring seeds would begin with similar numbers, and the seed 0 would yield only 0.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
  for (let warmUp = 0; warmUp < 8; warmUp++) next()
  return next
}

/** Draws a value, each with a probability in proportion to its weight. */
export const drawing = <A>(values: ReadonlyArray<A>, weightOf: (value: A) => number) => {
  let total = 0
  const sums = values.map((value) => {
    total += weightOf(value)
    return total
  })
  return (random: Random): A => {
    const drawn = random() * total
    const found = values[sums.findIndex((sum) => sum > drawn)]
    if (found === undefined) throw new Error("All weights are 0")
    return found
  }
}

/** Draws a value, all with the same probability. */
export const pick = <A>(values: ReadonlyArray<A>, random: Random): A => {
  const found = values[Math.floor(random() * values.length)]
  if (found === undefined) throw new Error("There is nothing to pick")
  return found
}

/** `digits` hexadecimal digits. */
export const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("")
