import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

interface Size {
  /** Bytes that the young space takes, of which half is in use at a time. What waits, to be committed or written, outlives a small one. */
  readonly young: number
  /** By how many percent the old space may grow beyond what was alive in it, before it is looked through for garbage. */
  readonly growth: number
}

const sizes = {
  // An export takes 140 MB; 210, and a quarter more processor time, with a young space of 1 MB; 240 left alone. An import takes 220; 430
  // left alone, and 170 with a growth of 50, for a tenth more processor time.
  stream: { young: 16 * 1024 ** 2, growth: 200 },
  // With 512 connections, by turns after some time with fewer: 16,300 clicks/s with a young space of 16 MB, 18,900 with 32, 20,700 with 48,
  // and 232, 216, 269 MB in all; with 64 connections no difference. Left alone it takes over 400 MB.
  service: { young: 32 * 1024 ** 2, growth: 50 }
} satisfies Record<string, Size>

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
export const keepHeapSmall = (kind: keyof typeof sizes): void => {
  const { growth, young } = sizes[kind]
  growYoung(young)
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString(`--heap-growing-percent=${growth}`)
}
