import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

// Bytes that the young space takes, of which half is in use at a time. What waits for its commit, or to be written, outlives a small
// one. A service under 512 connections takes 35 µs of processor time a click with 16 MB, 37 with 32, 41 with 8, 49 with 4; left alone
// it takes over 400 MB, 134 of them for this space. An export takes 140 MB with 16 MB; 210, and a quarter more processor time, with 1;
// 240 left alone.
const young = 16 * 1024 ** 2

// By how many percent the old space may grow beyond what was alive in it, before it is looked through for garbage. An import grows to
// 430 MB when it is left alone, to 220 with 200, and to 170 with 50 for a tenth more processor time.
const growth = { stream: 200, service: 50 }

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ??
  Number.POSITIVE_INFINITY

// V8 takes the size of the young space at its start only; but it doubles it when enough objects outlive a collection.
const growYoung = (): void => {
  let survivors: ReadonlyArray<object> = []
  for (let round = 0; youngSize() < young && round < 100; round++) {
    survivors = Array.from({ length: 20_000 }, () => ({ before: survivors.length }))
  }
}

/** Keeps the heap small. Has to run before Effect is loaded, which is when the young space grows beyond any need. */
export const keepHeapSmall = (kind: keyof typeof growth): void => {
  growYoung()
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString(`--heap-growing-percent=${growth[kind]}`)
}
