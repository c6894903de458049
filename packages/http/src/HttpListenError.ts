import { Schema } from "effect"

/** The server cannot listen. `message` is one sentence for the operator: where it tried, why not, and what to do. */
export class HttpListenError extends Schema.TaggedError<HttpListenError>()("HttpListenError", {
  /** `host:port`, or the path of the Unix socket. */
  address: Schema.String,
  /** The system's code, such as `EADDRINUSE`. */
  code: Schema.String,
  cause: Schema.Defect()
}) {
  /** From what Node fails with. */
  static of(address: string, cause: unknown): HttpListenError {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
    return new HttpListenError({ address, code, cause })
  }

  override get message(): string {
    const advice = advices[this.code]
    return advice === undefined
      ? `The server cannot listen on ${this.address} (${this.code})`
      : `The server cannot listen on ${this.address}: ${advice}`
  }
}

const advices: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process does; stop it or choose another port",
  ENOTSUP: "this system cannot share a port; give each process a port of its own",
  EACCES: "this user may not; choose a port from 1024 up",
  EADDRNOTAVAIL: "this machine has no such address; choose another host",
  ENOTFOUND: "the host name is unknown; choose another host"
}
