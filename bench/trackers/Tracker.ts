/** A click as a service received it. */
export interface Received {
  readonly id: string
  readonly store: string
}

/** A script that sends clicks, and the service that receives them. */
export interface Tracker {
  readonly name: string
  /** The URL of the service. */
  readonly service: string
  /** Elements for the head of a page, which define `send(id, store)`. `origin` is that of the proxy in front of the service. */
  readonly head: (origin: string) => string
  /** All clicks that the service has received, including duplicates. */
  readonly received: () => Promise<ReadonlyArray<Received>>
}

/** The store of a click, derived from its id, so that changed clicks are found. */
export const storeOf = (id: string): string => `s-${id.length}-${id.at(-1)}`
