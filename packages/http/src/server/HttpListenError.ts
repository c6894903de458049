import { Schema } from "effect"

/** The server cannot listen. `message` names the address, the cause and what to do. */
export class HttpListenError extends Schema.TaggedError<HttpListenError>()("HttpListenError", {
  /** `host:port`, or the path of the Unix socket. */
  address: Schema.String,
  /** The system's error code, such as `EADDRINUSE`. */
  code: Schema.String,
  cause: Schema.Defect()
}) {
  /** Creates the error from one of Node. */
  static of(address: string, cause: unknown): HttpListenError {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
    return new HttpListenError({ address, code, cause })
  }

  override get message(): string {
    const advice = advices[this.code]
    return advice === undefined
      ? `Cannot listen on ${this.address} (${this.code})`
      : `Cannot listen on ${this.address}: ${advice}`
  }
}

const advices: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "the port is in use. Stop the other process or set PORT; clicks serve --share-port shares a port",
  ENOTSUP: "this system cannot share ports. Give each process its own PORT",
  EACCES: "permission denied. Set PORT to 1024 or higher",
  EADDRNOTAVAIL: "this machine does not have that address. Set HOST to another one",
  ENOTFOUND: "unknown host name. Set HOST to another one"
}
