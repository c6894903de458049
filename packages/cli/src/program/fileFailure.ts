import { dirname } from "node:path"
import { CommandFailed } from "./CommandError.ts"

type Sentence = (path: string) => string

// Codes of the operating system that a person can do something about.
const whenReading: Readonly<Record<string, Sentence>> = {
  ENOENT: (path) => `There is no file ${path}`,
  ENOTDIR: (path) => `There is no file ${path}`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) => `${path} cannot be read: this user may not; correct its permissions`
}

const whenWriting: Readonly<Record<string, Sentence>> = {
  ENOENT: (path) =>
    `${path} cannot be written: there is no folder ${dirname(path)}; make it, or choose another`,
  ENOTDIR: (path) =>
    `${path} cannot be written: ${dirname(path)} is not a folder; choose another place for the file`,
  EISDIR: (path) => `${path} is a directory, not a file`,
  EACCES: (path) =>
    `${path} cannot be written: this user may not write there; correct the permissions, or choose another place`,
  EROFS: (path) => `${path} cannot be written: nothing can be written to that disk; choose another place`,
  ENOSPC: (path) => `${path} cannot be written: its disk is full; free some space, or choose another place`,
  EFBIG: (path) => `${path} cannot be written: it would be larger than a file may be here`
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
