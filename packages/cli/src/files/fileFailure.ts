import { dirname } from "node:path"
import { CommandFailed } from "../CommandError.ts"

type Sentence = (path: string) => string

// Codes of the operating system that a person can do something about.
const whenReading: Readonly<Record<string, Sentence>> = {
  ENOENT: (path) => `File not found: ${path}`,
  ENOTDIR: (path) => `File not found: ${path}`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) => `${path} cannot be read: permission denied`
}

const whenWriting: Readonly<Record<string, Sentence>> = {
  ENOENT: (path) => `${path} cannot be written: the folder ${dirname(path)} does not exist`,
  ENOTDIR: (path) => `${path} cannot be written: ${dirname(path)} is not a folder`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) => `${path} cannot be written: permission denied`,
  EROFS: (path) => `${path} cannot be written: the file system is read-only`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full`,
  EFBIG: (path) => `${path} cannot be written: it exceeds the maximum file size`
}

const failing = (sentences: Readonly<Record<string, Sentence>>, what: string) => (path: string) => {
  return (cause: unknown): CommandFailed => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    const message = sentences[code === "EPERM" ? "EACCES" : code]?.(path)
    return message === undefined
      ? new CommandFailed({ message: `${path} ${what}`, cause })
      : new CommandFailed({ message })
  }
}

/** A file cannot be read; the sentence says why and what to do. */
export const notRead = failing(whenReading, "cannot be read")

/** A file cannot be written; the sentence says why and what to do. */
export const notWritten = failing(whenWriting, "cannot be written")
