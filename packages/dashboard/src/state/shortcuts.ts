import { signal } from "@preact/signals"
import { go } from "./address.ts"
import { refresh } from "./refresh.ts"
import { shownScreens } from "./screens.ts"
import { switchTheme } from "./theme.ts"

/** Whether the list of shortcuts is shown. */
export const helpIsOpen = signal(false)

const focusFilter = (): void => document.getElementById("filter-value")?.focus()

interface Shortcut {
  readonly key: string
  readonly what: string
  readonly run: () => void
}

/** The keyboard shortcuts. */
export const shortcuts: ReadonlyArray<Shortcut> = [
  ...shownScreens.map(([name, title], index) => ({
    key: String((index + 1) % 10),
    what: title,
    run: () => go({ screen: name === "overview" ? "" : name })
  })),
  { key: "t", what: "Today", run: () => go({ range: "today" }) },
  { key: "w", what: "7 days", run: () => go({ range: "" }) },
  { key: "m", what: "Month", run: () => go({ range: "month" }) },
  { key: "f", what: "Add a filter", run: focusFilter },
  { key: "r", what: "Refresh", run: refresh },
  { key: "d", what: "Dark or light", run: switchTheme },
  { key: "?", what: "This list", run: () => (helpIsOpen.value = !helpIsOpen.value) }
]

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const found = shortcuts.find(({ key }) => key === event.key)
  if (found === undefined) return
  event.preventDefault()
  found.run()
})
