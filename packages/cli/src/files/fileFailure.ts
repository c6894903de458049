import { dirname } from "node:path"
import { CommandFailed } from "../CommandError.ts"

type Message = (path: string) => string

// Error codes of the operating system that the user can do something about.
const whenReading: Readonly<Record<string, Message>> = {
  ENOENT: (path) => `File not found: ${path}`,
  ENOTDIR: (path) => `File not found: ${path}`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) => `${path} cannot be read: permission denied`
}

const whenWriting: Readonly<Record<string, Message>> = {
  ENOENT: (path) => `${path} cannot be written: the folder ${dirname(path)} does not exist`,
  ENOTDIR: (path) => `${path} cannot be written: ${dirname(path)} is not a folder`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) => `${path} cannot be written: permission denied`,
  EROFS: (path) => `${path} cannot be written: the file system is read-only`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full`,
  EFBIG: (path) => `${path} cannot be written: it exceeds the maximum file size`
}

const failing = (messages: Readonly<Record<string, Message>>, what: string) => (path: string) => {
  return (cause: unknown): CommandFailed => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    const message = messages[code === "EPERM" ? "EACCES" : code]?.(path)
    return message === undefined
      ? new CommandFailed({ message: `${path} ${what}`, cause })
      : new CommandFailed({ message })
  }
}

/** The failure to read a file, with the reason. */
export const notRead = failing(whenReading, "cannot be read")

/** The failure to write a file, with the reason. */
export const notWritten = failing(whenWriting, "cannot be written")
