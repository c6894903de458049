import { getSystemErrorMessage } from "node:util"
import { Predicate } from "effect"
import { CommandFailed } from "../CommandError.ts"

const failing = (what: string) => (path: string) => (cause: unknown) => {
  const message = `${path} ${what}`
  return Predicate.hasProperty(cause, "errno") && typeof cause.errno === "number"
    ? new CommandFailed({ message: `${message}: ${getSystemErrorMessage(cause.errno)}` })
    : new CommandFailed({ message, cause })
}

/** The failure to read a file, with the reason. */
export const notRead = failing("cannot be read")

/** The failure to write a file, with the reason. */
export const notWritten = failing("cannot be written")
