import { parseHttpUrl } from "../values/HttpUrl.ts"

// Characters that would end the host in a URL, or be decoded in it.
const notInHost = /[\s/\\?#@:%[\]*]/

const isLabel = (label: string): boolean => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)

const normal = (hostname: string): string | undefined => {
  const name = hostname.replace(/\.$/, "")
  const labels = name.split(".")
  // A name whose last label is a number is read as an IPv4 address by browsers.
  const isName = name.length <= 253 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? "")
  return isName ? name : undefined
}

/**
 * The normal form of a host name: lower case, without a dot at its end, and each label that is not ASCII in its Punycode form
 * (`bücher.example` is `xn--bcher-kva.example`). Undefined when the text is an address or not a host name.
 */
export const parseHostName = (text: string): string | undefined => {
  if (text === "" || text.length > 1000 || notInHost.test(text)) return undefined
  const url = parseHttpUrl(`http://${text}/`)
  return url && normal(url.hostname)
}

/**
 * The host name of an `Origin` header with any port and the scheme http or https; undefined when it has none. Accepts only serialised
 * origins, as browsers send them: parsing alone would also accept `https:\\shop.example` or `https://%73hop.example`.
 */
export const hostNameOfOrigin = (origin: string): string | undefined => {
  const url = parseHttpUrl(origin)
  return url?.origin === origin ? normal(url.hostname) : undefined
}
