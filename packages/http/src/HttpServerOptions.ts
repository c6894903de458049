import type { Duration, Redacted } from "effect"
import type { OwnHosts } from "./access/OwnHosts.ts"
import { defaultRecordingOptions, type RecordingOptions } from "./clicks/recording/RecordingOptions.ts"

export interface HttpServerOptions extends RecordingOptions {
  readonly host: string
  /** 0 takes any free port; `HttpServer.address` of the layer tells which. */
  readonly port: number
  /** Lets other processes of this user that set it listen on the same port; the system spreads connections over them. */
  readonly sharePort: boolean
  /** Listens here, too. Where several processes share `port`, this reaches one of them: its metrics and health. */
  readonly processPort?: number
  /** Listens on this Unix socket instead of `host` and `port`. */
  readonly socketPath?: string
  /** A key that is accepted as an admin with the user id `admin`. */
  readonly adminKey?: Redacted.Redacted
  /** The hosts that requests from trusted addresses must name; by default `localhost` and the listening address. */
  readonly hosts?: OwnHosts
  /** Whether an `Origin` header that is on the list of trusted origins makes its sender a reader. */
  readonly trustOriginHeader: boolean
  /** Whether `/metrics` answers everybody. */
  readonly publicMetrics: boolean
  /** Connections at once. Beyond them, `ConnectionLimit` closes those of least use. */
  readonly maxConnections: number
  /** Bytes of bodies in memory, as unpacked. Requests beyond them wait before their bodies are read. */
  readonly maxBodyBytes: number
  /** How long requests in hand may take to finish when the server stops. */
  readonly stopWithin: Duration.Input
  /** How long a client may take to send its headers. */
  readonly headersWithin: Duration.Input
  /** How long a client may take to send its whole request. */
  readonly requestWithin: Duration.Input
  /** How long a connection may lie still, with or without a request, before it is cut. */
  readonly silentAtMost: Duration.Input
  /** How long a client may read an answer slower than 8 KiB/s, on average, before it is cut. */
  readonly slowAtMost: Duration.Input
}

export const defaultOptions: HttpServerOptions = {
  ...defaultRecordingOptions,
  host: "127.0.0.1",
  port: 3000,
  sharePort: false,
  trustOriginHeader: false,
  publicMetrics: false,
  // Each may hold some 128 KiB in the buffers of its socket and its request.
  maxConnections: 2_000,
  maxBodyBytes: 64 * 1024 * 1024,
  stopWithin: "10 seconds",
  headersWithin: "10 seconds",
  requestWithin: "30 seconds",
  silentAtMost: "2 minutes",
  slowAtMost: "30 seconds"
}
