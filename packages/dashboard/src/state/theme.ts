import { effect, signal } from "@preact/signals"

const themes = ["auto", "light", "dark"] as const
type Theme = (typeof themes)[number]

const key = "clicks-theme"

// The browser may deny access to its storage.
const stored = (): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The chosen theme; `auto` follows the system. */
const theme = signal<Theme>(themes.find((each) => each === stored()) ?? "auto")

const systemDark = matchMedia("(prefers-color-scheme: dark)")

/** Whether the page is dark now. Charts are drawn again when it changes. */
export const isDark = signal(false)

const show = (): void => {
  isDark.value = theme.value === "dark" || (theme.value === "auto" && systemDark.matches)
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light"
}

effect(show)
systemDark.addEventListener("change", show)

/** Switches between dark and light. */
export const switchTheme = (): void => {
  theme.value = isDark.value ? "light" : "dark"
  try {
    localStorage.setItem(key, theme.value)
  } catch {}
}
