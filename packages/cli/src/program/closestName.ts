import { closest, distance } from "fastest-levenshtein"

// With more letters wrong than this it is rather another word.
const mostWrong = 1 / 3

/** The name that was probably meant by one that differs from it in at most a third of its letters. */
export const closestName = (given: string, names: ReadonlyArray<string>): string | undefined => {
  const name = closest(given, names)
  return distance(given, name) <= name.length * mostWrong ? name : undefined
}
