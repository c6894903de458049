import { closest, distance } from "fastest-levenshtein"

// With a larger share of wrong letters, it is another word.
const mostWrong = 1 / 3

/** The known name that is closest to a mistyped one. At most a third of its letters may differ. */
export const closestName = (given: string, names: ReadonlyArray<string>): string | undefined => {
  const near = names.filter((name) => distance(given, name) <= name.length * mostWrong)
  return near.length === 0 ? undefined : closest(given, near)
}
