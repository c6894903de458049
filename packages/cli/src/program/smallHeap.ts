import { setFlagsFromString } from "node:v8"

// By how many percent the old space may grow beyond what was alive in it, before it is looked through for garbage.
const growth = {
  // A few megabytes of a long stream of rows are alive at any moment. Left alone, the heap grows to 430 MB; so it stays at
  // 210 MB for a tenth more processor time. Measured with files of 165 thousand and of 2 million rows.
  stream: 200,
  // A service under 512 connections takes 250 MB, 350 MB with 200 percent, and over 400 MB left alone, of which the young space
  // alone has 134 MB. The processor time of a click is the same.
  service: 50
}

/** Keeps the heap small. Has to run before Effect is loaded, which is when the young space grows. */
export const keepHeapSmall = (kind: keyof typeof growth): void => {
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString(`--heap-growing-percent=${growth[kind]}`)
}
