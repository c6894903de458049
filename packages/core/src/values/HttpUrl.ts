// All supported runtimes have this global. It is declared here because core compiles without the types of any runtime.
interface WebUrl {
  readonly protocol: string
  readonly origin: string
  readonly host: string
  readonly hostname: string
  readonly pathname: string
  readonly search: string
  readonly href: string
}
declare const URL: { parse(url: string): WebUrl | null }

/** Parses an absolute http or https URL; undefined if the text is not one. */
export const parseHttpUrl = (text: string): WebUrl | undefined => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

/** A URL for logs and messages. User, password and query are omitted because they may contain secrets. */
export const withoutSecrets = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "(not a URL)"
  return `${url.protocol}//${url.host}${url.pathname}${url.search === "" ? "" : "?…"}`
}
