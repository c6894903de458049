import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { closestName } from "./closestName.ts"

// Keeps the header under a kilobyte, whatever a client sends: proxies limit all headers together to 4 or 8 KiB.
const mostNames = 5
const longestName = 40

/** Makes a name safe for a header: shortens it, replaces all but visible ASCII by `?`, and writes an empty name as `""`. */
export const headerName = (name: string): string => {
  if (name === "") return '""'
  const cut = name.length > longestName ? `${name.slice(0, longestName)}...` : name
  return cut.replaceAll(/[^\x21-\x7e]/gu, "?")
}

/** Lists the first five names and the number of the others. */
export const nameList = (
  names: ReadonlyArray<string>,
  describe: (name: string) => string = headerName
): string => {
  const listed = names.slice(0, mostNames).map(describe).join(", ")
  return names.length > mostNames ? `${listed} and ${names.length - mostNames} more` : listed
}

/** The name, followed by the closest known name if there is one. */
export const orMeant =
  (known: ReadonlyArray<string>) =>
  (name: string): string => {
    const shown = headerName(name)
    const meant = closestName(shown, known)
    return meant === undefined ? shown : `${shown} (did you mean ${meant}?)`
  }

/** The `Click-Notice` header: warnings about a request that succeeded, joined by semicolons. */
export const clickNotice = (...notices: ReadonlyArray<string>): { readonly "click-notice": string } => ({
  "click-notice": notices.join("; ")
})

/** Adds a notice to the response to the current request. */
export const addNotice = (notice: string) =>
  HttpEffect.appendPreResponseHandler((_, response) => {
    const earlier = response.headers["click-notice"]
    const notices = earlier === undefined ? [notice] : [earlier, notice]
    return Effect.succeed(HttpServerResponse.setHeaders(response, clickNotice(...notices)))
  })
