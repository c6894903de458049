import { Schema } from "effect"

/** What a port keeps cannot be reached: its database is away. Whether a change was made is not known. */
export class PortError extends Schema.TaggedError<PortError>()("PortError", {
  /** What cannot be reached, such as `task queue`. */
  port: Schema.String,
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The ${this.port} cannot be reached (${this.operation})`
  }
}

/** The errors of one port. */
export const portError =
  (port: string) =>
  (operation: string) =>
  (cause: unknown): PortError =>
    new PortError({ port, operation, cause })
