import { closestName } from "./closestName.ts"

// A header line stays under a kilobyte, whatever a client sends: proxies limit all headers together to 4 or 8 KiB.
const mostNames = 5
const longestName = 40

/** A name as it may stand in a header: cut, without characters other than visible ASCII, and `""` for an empty one. */
export const headerName = (name: string): string => {
  if (name === "") return '""'
  const cut = name.length > longestName ? `${name.slice(0, longestName)}...` : name
  return cut.replaceAll(/[^\x21-\x7e]/gu, "?")
}

/** The first names as a list for `Click-Notice`, and how many more there are. */
export const nameList = (
  names: ReadonlyArray<string>,
  describe: (name: string) => string = headerName
): string => {
  const listed = names.slice(0, mostNames).map(describe).join(", ")
  return names.length > mostNames ? `${listed} and ${names.length - mostNames} more` : listed
}

/** The name, and the known one that was probably meant. */
export const orMeant =
  (known: ReadonlyArray<string>) =>
  (name: string): string => {
    const shown = headerName(name)
    const meant = closestName(shown, known)
    return meant === undefined ? shown : `${shown} (did you mean ${meant}?)`
  }

/** What a person should know about a request that succeeded, as the header of its answer; several notices are joined. */
export const clickNotice = (...notices: ReadonlyArray<string>): { readonly "click-notice": string } => ({
  "click-notice": notices.join("; ")
})
