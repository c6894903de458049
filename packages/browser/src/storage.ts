type Texts = Record<string, string>

/** Returns undefined if `use` throws. */
export const attempt = <A>(use: () => A): A | undefined => {
  try {
    return use()
  } catch {
    return undefined
  }
}

// Where the page may not use its storage, a string stands in, which keeps no properties.
const none = "" as unknown as Texts

/** Writing to it may fail. */
export const local: Texts = attempt(() => localStorage) || none
export const session: Texts = attempt(() => sessionStorage) || none

export const random = (): string => Math.random().toString(36).slice(2)
