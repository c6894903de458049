import { signal } from "@preact/signals"

/** Counts the refreshes: panels load anew with each. */
export const refreshes = signal(0)

export const refresh = (): void => {
  refreshes.value++
}

const interval = 60_000

// Only while the page is visible.
setInterval(() => {
  if (document.visibilityState === "visible") refresh()
}, interval)
