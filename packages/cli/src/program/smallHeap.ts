import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

interface Growth {
  /** Bytes that the young space takes, of which half is in use at a time. */
  readonly young: number
  /** By how many percent the old space may grow beyond what was alive in it, before it is looked through for garbage. */
  readonly old: number
}

const growth = {
  // A few megabytes of a long stream of rows are alive at any moment. Left alone, the heap grows to 430 MB; so it stays at
  // 210 MB for a tenth more processor time. Measured with files of 165 thousand and of 2 million rows.
  stream: { young: 0, old: 200 },
  // Left alone, a service under 512 connections takes over 400 MB, of which the young space alone has 134 MB. Clicks that wait for
  // their commit outlive a small one: its process takes 35 µs of processor time a click with 16 MB, 37 with 32, 41 with 8, 49 with 4.
  service: { young: 16 * 1024 ** 2, old: 50 }
} satisfies Record<string, Growth>

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ??
  Number.POSITIVE_INFINITY

// V8 takes the size of the young space at its start only; but it doubles it when enough objects outlive a collection.
const growYoung = (size: number): void => {
  let survivors: ReadonlyArray<object> = []
  for (let round = 0; youngSize() < size && round < 100; round++) {
    survivors = Array.from({ length: 20_000 }, () => ({ before: survivors.length }))
  }
}

/** Keeps the heap small. Has to run before Effect is loaded, which is when the young space grows beyond any need. */
export const keepHeapSmall = (kind: keyof typeof growth): void => {
  growYoung(growth[kind].young)
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString(`--heap-growing-percent=${growth[kind].old}`)
}
