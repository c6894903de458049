import type { Duration, Redacted } from "effect"
import type { AccessControlOptions } from "./access/accessControl.ts"
import { defaultRecordingOptions, type RecordingOptions } from "./clicks/recording/RecordingOptions.ts"
import type { NodeServerOptions } from "./server/nodeServer.ts"

export interface HttpServerOptions extends RecordingOptions, AccessControlOptions, NodeServerOptions {
  /** 0 takes any free port; `HttpServer.address` of the layer returns it. */
  readonly port: number
  /** Lets other processes of the same user listen on the same port if they set this too. The system distributes connections among them. */
  readonly sharePort: boolean
  /**
   * A second port to listen on. If several processes share `port`, the second port reaches this process alone, for its metrics and health.
   */
  readonly processPort?: number | undefined
  /** Listens on this Unix socket instead of `host` and `port`. */
  readonly socketPath?: string
  /** Files of the script that pages include. The first is also served as `/clicks.v1.js`. */
  readonly trackingScripts?: ReadonlyArray<string>
  /** A folder with the built dashboard, which is served at `/`. */
  readonly dashboard?: string | undefined
  /** Origins whose pages may show share links in a frame, or `*`; none by default. */
  readonly shareFrames?: ReadonlyArray<string> | undefined
  /** A key that is accepted as an admin with the user id `admin`. */
  readonly adminKey?: Redacted.Redacted | undefined
  /** Whether an `Origin` header on the list of trusted origins grants the role reader. */
  readonly trustOriginHeader: boolean
  /**
   * Whether single clicks bypass Node's HTTP server, which costs as much as everything else that the service does for a click. With a
   * tracer, none does, so that every request has its span.
   */
  readonly plainConnections: boolean
  /** The maximum number of open connections. At the limit, `ConnectionLimit` closes connections without a request in progress. */
  readonly maxConnections: number
  /** The maximum size of all decompressed bodies in memory, in bytes. At the limit, requests wait before their bodies are read. */
  readonly maxBodyBytes: number
  /** How long requests in progress may take to finish when the server stops. */
  readonly stopWithin: Duration.Input
}

export const defaultOptions: HttpServerOptions = {
  ...defaultRecordingOptions,
  host: "127.0.0.1",
  port: 3000,
  sharePort: false,
  trustOriginHeader: false,
  publicMetrics: false,
  plainConnections: true,
  // Each may hold about 128 KiB in the buffers of its socket and its request.
  maxConnections: 2_000,
  maxBodyBytes: 64 * 1024 * 1024,
  stopWithin: "10 seconds",
  headersWithin: "10 seconds",
  requestWithin: "30 seconds",
  silentAtMost: "2 minutes",
  slowAtMost: "30 seconds"
}
