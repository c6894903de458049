/** The content of a share link. */
interface Shared {
  readonly token: string
  /** The parameters that the service adds to each request. */
  readonly filter: Readonly<Record<string, string>>
  readonly expires_at: string
}

const unread = { filter: {}, expires_at: "" }

// Damage is ignored here: the service checks the signature and rejects a damaged token with a message.
const contentOf = (token: string): Pick<Shared, "filter" | "expires_at"> => {
  try {
    const [content = ""] = token.split(".")
    const bytes = atob(content.replaceAll("-", "+").replaceAll("_", "/"))
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    const shown = { ...unread, ...JSON.parse(text) }
    return Number.isNaN(Date.parse(shown.expires_at)) ? unread : shown
  } catch {
    return unread
  }
}

const [, token] = /^\/share\/([^/]+)$/.exec(location.pathname) ?? []

/** The share link in the address; undefined if the address is not a share link. */
export const shared: Shared | undefined = token === undefined ? undefined : { token, ...contentOf(token) }

/** Whether the share link fixes the range. */
export const sharesRange = shared?.filter["from"] !== undefined
