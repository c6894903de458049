// Every runtime that the core is meant for has it as a global; the core compiles without any runtime's types.
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

/** The parts of an absolute http or https URL; undefined when the text is not one. */
export const parseHttpUrl = (text: string): WebUrl | undefined => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

/** A URL for logs and messages: user, password and query may be secrets and are left out. */
export const withoutSecrets = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "(not a URL)"
  return `${url.protocol}//${url.host}${url.pathname}${url.search === "" ? "" : "?…"}`
}
