import type { Duration, Redacted } from "effect"
import type { AccessControlOptions } from "./access/accessControl.ts"
import { defaultRecordingOptions, type RecordingOptions } from "./clicks/recording/RecordingOptions.ts"
import type { NodeServerOptions } from "./server/nodeServer.ts"

export interface HttpServerOptions extends RecordingOptions, AccessControlOptions, NodeServerOptions {
  /** 0 takes any free port; `HttpServer.address` of the layer returns it. */
  readonly port: number
  /** Lets other processes of this user that set it listen on the same port; the system spreads connections over them. */
  readonly sharePort: boolean
  /** Listens here, too. Where several processes share `port`, this reaches one of them: its metrics and health. */
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
  /** Whether an `Origin` header that is on the list of trusted origins makes its sender a reader. */
  readonly trustOriginHeader: boolean
  /**
   * Whether single clicks are read from their connections without Node's HTTP, which costs as much as all else that the service does for
   * a click. With a tracer they never are: every request has its span.
   */
  readonly plainConnections: boolean
  /** Open connections. At the limit, `ConnectionLimit` closes those of least use. */
  readonly maxConnections: number
  /** Bytes of decompressed bodies in memory. Beyond it, requests wait before their bodies are read. */
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
  // Each may hold some 128 KiB in the buffers of its socket and its request.
  maxConnections: 2_000,
  maxBodyBytes: 64 * 1024 * 1024,
  stopWithin: "10 seconds",
  headersWithin: "10 seconds",
  requestWithin: "30 seconds",
  silentAtMost: "2 minutes",
  slowAtMost: "30 seconds"
}
