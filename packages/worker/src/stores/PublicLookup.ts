import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { nonPublicRange } from "./PublicAddress.ts"

/** A connection that was not made, because the name or address leads into a network that is not public. */
export class NotPublicAddress extends Error {
  override readonly name = "NotPublicAddress"
  readonly range: string
  constructor(range: string) {
    super(`not a public address (${range})`)
    this.range = range
  }
}

/** How names are resolved to all their addresses: `dns.lookup`, unless it is a test. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void
) => void

const findRefused = (addresses: ReadonlyArray<LookupAddress>): NotPublicAddress | undefined => {
  const range = addresses.map(({ address }) => nonPublicRange(address)).find((found) => found !== undefined)
  return range === undefined ? undefined : new NotPublicAddress(range)
}

/**
 * Resolves names for connections and refuses those with an address that is not public. The socket connects to the addresses
 * that were judged here and asks nobody again, so a name that changes its answer in between (DNS rebinding) gains nothing.
 */
export const publicLookup =
  (resolve: Resolve = systemLookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? findRefused(addresses)
      const [first] = addresses ?? []
      if (refusal !== undefined) return callback(refusal, "")
      if (options.all === true) return callback(null, addresses)
      if (first === undefined) return callback(new Error("no address"), "")
      return callback(null, first.address, first.family)
    })
