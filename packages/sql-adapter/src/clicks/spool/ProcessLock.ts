import { DatabaseSync } from "node:sqlite"

const busy = 5

/**
 * A lock between processes and threads that ends with its holder, however it ends: SQLite's locks on an empty file, because
 * Node has no `flock`. Whoever wants it alone goes before those who come later to share it.
 */
export class ProcessLock {
  readonly #database: DatabaseSync

  /** `patience` is how long to wait for others, in milliseconds. */
  constructor(file: string, patience: number) {
    this.#database = new DatabaseSync(file, { timeout: patience })
    // Nothing is ever written, so that a lock can be had on a full disk; SQLite would begin a journal on the disk.
    this.#database.exec("pragma journal_mode = memory")
  }

  /** Runs while others may share the lock. */
  shared<A>(run: () => A): A {
    return this.#holding("begin; select count(*) from sqlite_schema", run)
  }

  /** Runs while nobody else has the lock. */
  alone<A>(run: () => A): A {
    return this.#holding("begin exclusive", run)
  }

  /** Takes the lock alone until `release`, or says that somebody else has it. */
  tryAlone(): boolean {
    try {
      this.#take("begin exclusive")
      return true
    } catch (cause) {
      if (cause instanceof Error && "errcode" in cause && cause.errcode === busy) return false
      throw cause
    }
  }

  release(): void {
    if (this.#database.isTransaction) this.#database.exec("rollback")
  }

  close(): void {
    this.#database.close()
  }

  #holding<A>(statements: string, run: () => A): A {
    this.#take(statements)
    try {
      return run()
    } finally {
      this.release()
    }
  }

  #take(statements: string): void {
    try {
      this.#database.exec(statements)
    } catch (cause) {
      this.release()
      throw cause
    }
  }
}
