import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import type { Duration } from "effect"
import type { Resolve } from "./PublicLookup.ts"

export interface JsonFetchOptions {
  /** Whether URLs may lead into networks that are not public: to this machine, its neighbours, the cloud's metadata. */
  readonly allowPrivate: boolean
  /** How much of an answer is read. */
  readonly maxBytes: number
  /** How long one attempt may take, redirects included, from the name's look-up to the last byte. */
  readonly timeout: Duration.Input
  /** How often a request is repeated that failed for a reason that may pass. */
  readonly retries: number
  /** The least time between two requests to one host. */
  readonly interval: Duration.Input
  /** The longest time that a server may ask to wait for before the request is repeated; beyond, it is given up. */
  readonly maxRetryAfter: Duration.Input
  /** How names are resolved; without it, as the system does. */
  readonly resolve?: Resolve
}

export const defaultOptions: JsonFetchOptions = {
  allowPrivate: false,
  maxBytes: maxMenuBytes,
  timeout: "60 seconds",
  retries: 2,
  interval: "500 millis",
  maxRetryAfter: "30 seconds"
}
