/**
 * The form in which texts are searched and sorted: case and the ways in which Unicode writes the same character do not
 * matter. It is made here and stored, so that no database's locale has a say in it.
 */
export const fold = (text: string): string =>
  // Upper case first: it alone knows that ß is SS. A sigma at a word's end has a lower case of its own.
  text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC")

const codePointRank = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit

/** Orders texts by code point, which is also the order of their UTF-8 bytes (JavaScript's own order is by UTF-16 unit). */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = codePointRank(a.charCodeAt(index)) - codePointRank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
