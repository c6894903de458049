/** How many letters have to be put in, left out, replaced or swapped with the next to make one text of the other. */
const distance = (one: string, other: string): number => {
  const rows: Array<Array<number>> = []
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Math.max(row, column)
  for (let row = 0; row <= one.length; row++) {
    rows[row] = [row]
    for (let column = 1; row > 0 && column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          row > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
  }
  return at(one.length, other.length)
}

// With more letters wrong than this it is rather another word.
const mostWrong = 1 / 3

/** The name that was probably meant by one that differs from it in at most a third of its letters. */
export const closestName = <Name extends string>(
  given: string,
  names: ReadonlyArray<Name>
): Name | undefined => {
  const [closest] = names
    .map((name) => ({ name, wrong: distance(given, name) }))
    .filter(({ name, wrong }) => wrong <= name.length * mostWrong)
    .sort((one, other) => one.wrong - other.wrong)
  return closest?.name
}
