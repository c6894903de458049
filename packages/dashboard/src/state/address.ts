import { signal } from "@preact/signals"
import { plusDays } from "./days.ts"
import { shared } from "./share.ts"

const path = shared === undefined ? "/" : location.pathname

/** The parameters that the share link fixes. They override those in the address. */
const fixedParameters = (): Readonly<Record<string, string>> => {
  const { before, from, ...rest } = shared?.filter ?? {}
  return from === undefined || before === undefined
    ? rest
    : { ...rest, range: "custom", from, to: plusDays(before, -1) }
}
const fixed = fixedParameters()

/** Whether the share link fixes a parameter. */
export const isFixed = (name: string): boolean => name in fixed

const parametersOf = () => ({ ...Object.fromEntries(new URLSearchParams(location.search)), ...fixed })

/** The parameters in the address and the fixed ones. They determine everything that the page shows. */
export const address = signal<Readonly<Record<string, string>>>(parametersOf())

/** Changes of parameters. An empty text removes a parameter. */
export type Changes = Readonly<Record<string, string>>

/** The address after changes. */
const hrefAfter = (changes: Changes): string => {
  const kept = Object.entries({ ...address.value, ...changes }).filter(
    ([name, value]) => value !== "" && !isFixed(name)
  )
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

/** Goes to the address after changes, with a new entry in the browser's history. */
export const go = (changes: Changes): void => {
  history.pushState(null, "", hrefAfter(changes))
  address.value = parametersOf()
}

/** The attributes of a link that changes the address without reloading the page. Clicks that open another tab are left to the browser. */
export const follow = (changes: Changes) => ({
  href: hrefAfter(changes),
  onClick: (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(changes)
  }
})

addEventListener("popstate", () => {
  address.value = parametersOf()
})
