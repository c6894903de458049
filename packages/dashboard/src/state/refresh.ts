import { signal } from "@preact/signals"

/** Counts the refreshes. Panels reload when it changes. */
export const refreshes = signal(0)

export const refresh = (): void => {
  refreshes.value++
}

const interval = 60_000

// A hidden page does not refresh.
setInterval(() => {
  if (document.visibilityState === "visible") refresh()
}, interval)
