/** Why the spool did not do what was asked, as it passes from the thread of the spool to the others. */
export class SpoolTrouble extends Error {
  readonly reason: "Full" | "Unavailable"
  constructor(reason: "Full" | "Unavailable", message: string, cause?: unknown) {
    super(message, { cause })
    this.name = "SpoolTrouble"
    this.reason = reason
  }
}

/** The file is not what was written: it has to be set aside. */
export class SpoolDamaged extends Error {
  override readonly name = "SpoolDamaged"
}

// Result codes of SQLite (sqlite.org/rescode.html); the low byte is the primary one.
const corrupt = 11
const full = 13
const notADatabase = 26

const primaryCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode & 0xff
    : undefined

/** Whether the file itself is at fault. Everything else (a full disk, a lock, a missing right) may pass. */
export const isDamage = (cause: unknown): boolean => {
  const code = primaryCode(cause)
  return cause instanceof SpoolDamaged || code === corrupt || code === notADatabase
}

const codesOfFull: ReadonlyArray<unknown> = ["ENOSPC", "EDQUOT"]

/** Whether there is no room left, on the disk or in what the spool may take of it. */
export const isOutOfSpace = (cause: unknown): boolean =>
  primaryCode(cause) === full ||
  (cause instanceof SpoolTrouble && cause.reason === "Full") ||
  (cause instanceof Error && "code" in cause && codesOfFull.includes(cause.code))

export const toTrouble = (cause: unknown): SpoolTrouble =>
  cause instanceof SpoolTrouble
    ? cause
    : new SpoolTrouble("Unavailable", cause instanceof Error ? cause.message : String(cause), cause)
