import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SpaceUsed } from "./SpoolSpace.ts"
import { assertOurs } from "./spoolSchema.ts"

// FULL: a commit returns when the log is on the disk. `fullfsync` says the same to macOS, whose fsync stops at the drive.
const settings = `
  pragma synchronous = full;
  pragma fullfsync = on;
  pragma checkpoint_fullfsync = on;
  pragma journal_size_limit = 4194304;
  pragma cell_size_check = on;
  pragma temp_store = memory;
`

type Columns = Readonly<Record<string, unknown>>

/** A connection to a spool file. Throws what SQLite throws. */
export class SpoolDatabase {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** `patience` is how long to wait for others, in milliseconds. */
  constructor(file: string, maxPages: number, patience: number) {
    this.#database = new DatabaseSync(file, { timeout: patience })
    try {
      this.#database.exec(settings)
      assertOurs(this.#database)
      this.#database.exec(`pragma max_page_count = ${maxPages}`)
    } catch (cause) {
      this.close()
      throw cause
    }
  }

  prepare(statement: string): StatementSync {
    const found = this.#statements.get(statement) ?? this.#database.prepare(statement)
    this.#statements.set(statement, found)
    return found
  }

  /** The first row of what the statement gives. */
  get(statement: string): Columns {
    return this.prepare(statement).get() ?? {}
  }

  /** Commits what `run` does, or nothing when it throws. */
  transaction<A>(run: () => A): A {
    this.#database.exec("begin immediate")
    try {
      const result = run()
      this.#database.exec("commit")
      return result
    } finally {
      if (this.#database.isTransaction) this.#database.exec("rollback")
    }
  }

  pagesUsed(): Omit<SpaceUsed, "log"> {
    return {
      pages: Number(this.get("pragma page_count")["page_count"]),
      free: Number(this.get("pragma freelist_count")["freelist_count"])
    }
  }

  /** Moves the log into the file, as far as nobody reads it, and cuts it. */
  checkpoint(): void {
    this.#database.exec("pragma wal_checkpoint(truncate)")
  }

  /** Makes the file as small as its content. */
  vacuum(): void {
    this.#database.exec("vacuum")
    this.checkpoint()
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}
