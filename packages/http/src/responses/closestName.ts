import { closest, distance } from "fastest-levenshtein"

// More wrong letters than this are another word.
const mostWrong = 1 / 3

/** The known name closest to a mistyped one, among those of which at most a third of the letters differ. */
export const closestName = (given: string, names: ReadonlyArray<string>): string | undefined => {
  const near = names.filter((name) => distance(given, name) <= name.length * mostWrong)
  return near.length === 0 ? undefined : closest(given, near)
}
