import { Schema } from "effect"

/** The database behind a port is unavailable. It is unknown whether a change was made. */
export class PortError extends Schema.TaggedError<PortError>()("PortError", {
  /** What is unavailable, such as `task queue`. */
  port: Schema.String,
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The ${this.port} cannot be reached (${this.operation})`
  }
}

/** Creates the errors of one port. */
export const portError =
  (port: string) =>
  (operation: string) =>
  (cause: unknown): PortError =>
    new PortError({ port, operation, cause })
