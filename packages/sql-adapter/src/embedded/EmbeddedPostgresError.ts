import { Schema } from "effect"

/** The embedded PostgreSQL is not available. The message tells the operator in one line why, and what to do. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()(
  "EmbeddedPostgresError",
  { message: Schema.String }
) {}

export const unavailable = (message: string) => new EmbeddedPostgresError({ message })

const diskFull = (path: string) => unavailable(`The disk of ${path} is full. Free disk space and try again.`)

const notWritable = "is not writable for this user. Fix its permissions"
const problems: Readonly<Record<string, string>> = {
  EEXIST: "is a file. Move it",
  ENOTDIR: "is a file. Move it",
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: "is on a read-only file system. Make it writable"
}

/** The error for a failed file operation at or below `path`. */
export const fromFileError =
  (path: string) =>
  (cause: unknown): EmbeddedPostgresError => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error"
    if (code === "ENOSPC" || code === "EDQUOT") return diskFull(path)
    const problem = problems[code]
    return unavailable(
      problem === undefined
        ? `Cannot use the data folder ${path} (${code}). Repair it or set CLICKS_DATA_DIR to another folder.`
        : `The data folder ${path} ${problem} or set CLICKS_DATA_DIR to another folder.`
    )
  }

/** The error for a failed program of PostgreSQL, from its output or log. */
export const fromOutput = (
  folder: { readonly path: string; readonly log: string },
  output: string
): EmbeddedPostgresError => {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder.path)
  const [, theirs, ours] =
    /initialized by PostgreSQL version (\d+).*not compatible with this version (\d+)/.exec(output) ?? []
  if (theirs !== undefined) {
    return unavailable(
      `The database in ${folder.path} was created by PostgreSQL ${theirs}, but this is PostgreSQL ${ours}. Export it with the Clicks version that created it and import it into a new folder.`
    )
  }
  const [, uid] = /could not look up effective user ID (\d+)/.exec(output) ?? []
  if (uid !== undefined) {
    return unavailable(
      `PostgreSQL requires a named user account, but uid ${uid} has none. Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL server.`
    )
  }
  const complaint =
    /^.*?(?:FATAL|PANIC|error|ERROR): +(.*)$/m.exec(output)?.[1] ?? output.trim().split("\n").at(-1)
  return unavailable(
    `The embedded PostgreSQL did not start (${complaint || "no output"}). See ${folder.log}.`
  )
}
