/** A click as a service received it. */
export interface Received {
  readonly id: string
  readonly store: string
}

/** A script that sends clicks, and the service that it sends them to. */
export interface Tracker {
  readonly name: string
  /** Where the service is. */
  readonly service: string
  /** Elements of a page's head. They define `send(id, store)`; `origin` stands before the service. */
  readonly head: (origin: string) => string
  /** Every click that the service has, as often as it has it. */
  readonly received: () => Promise<ReadonlyArray<Received>>
}

/** What a click has besides its id. */
export const storeOf = (id: string): string => `s-${id.length}-${id.at(-1)}`
