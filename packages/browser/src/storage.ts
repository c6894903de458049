type Texts = Record<string, string>

/** Returns undefined if `use` throws. */
export const attempt = <A>(use: () => A): A | undefined => {
  try {
    return use()
  } catch {
    return undefined
  }
}

// If the page may not use its storage, a string replaces it: a string keeps no properties.
const none = "" as unknown as Texts

/** Writing may throw. */
export const local: Texts = attempt(() => localStorage) || none
export const session: Texts = attempt(() => sessionStorage) || none

export const random = (): string => Math.random().toString(36).slice(2)
