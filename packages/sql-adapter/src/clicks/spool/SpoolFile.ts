import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SpoolFolder } from "./SpoolFolder.ts"
import { checksum, type PlacedRow, rangesOf, type SpoolRow, toRow } from "./SpoolRow.ts"
import { pagesNeeded, SpaceLimit, type SpaceUsed } from "./SpoolSpace.ts"
import { isDamage, SpoolDamaged, SpoolTrouble } from "./SpoolTrouble.ts"
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

// An empty file is made small again from 16 MiB on; below, its free pages are kept for the next outage.
const pagesWorthFreeing = 4096

export interface LineStatus {
  readonly depth: number
  /** The click that waits longest. */
  readonly oldest: SpoolRow | null
}

/** One opened spool file. Everything throws what SQLite throws, `SpoolDamaged` or, without space, `SpoolTrouble`. */
export class SpoolFile {
  readonly inode: number
  readonly #database: DatabaseSync
  readonly #folder: SpoolFolder
  readonly #limit: SpaceLimit
  readonly #statements = new Map<string, StatementSync>()

  constructor(folder: SpoolFolder, inode: number, maxBytes: number, patience: number) {
    this.inode = inode
    this.#folder = folder
    this.#limit = new SpaceLimit(maxBytes)
    this.#database = new DatabaseSync(folder.file, { timeout: patience })
    try {
      this.#database.exec(settings)
      assertOurs(this.#database)
      this.#database.exec(`pragma max_page_count = ${this.#limit.maxPages}`)
    } catch (cause) {
      this.close()
      throw cause
    }
  }

  /** Reads the whole structure; half a second for a GiB in memory. */
  verify(): void {
    const found = String(this.#get("pragma quick_check(1)")["quick_check"])
    if (found !== "ok") throw new SpoolDamaged(found)
    this.#line()
  }

  append(rows: ReadonlyArray<SpoolRow>): void {
    const insert = this.#prepare("insert into clicks (click, original, checksum) values (?, ?, ?)")
    this.#write(rows, () => {
      for (const row of rows) insert.run(row.click, row.original, checksum(row))
      return rows.length
    })
  }

  /** Puts salvaged rows back in their places; a row that is there already is left alone. */
  restore(rows: ReadonlyArray<PlacedRow>): number {
    const taken = this.#prepare("select checksum from clicks where position = ?")
    const place = this.#prepare(
      "insert into clicks (position, click, original, checksum) values (?, ?, ?, ?)"
    )
    let restored = 0
    this.#write(rows, () => {
      restored = 0
      for (const row of rows) {
        const there = taken.get(row.position)?.["checksum"]
        if (there === checksum(row)) continue
        place.run(there === undefined ? row.position : null, row.click, row.original, checksum(row))
        restored++
      }
      return restored
    })
    return restored
  }

  peek(limit: number): ReadonlyArray<PlacedRow> {
    const select = this.#prepare(
      "select position, click, original, checksum from clicks order by position limit ?"
    )
    return select.all(limit).map(toRow)
  }

  remove(positions: ReadonlyArray<number>): void {
    const most = this.#limit.rowsToRemove
    for (let at = 0; at < positions.length; at += most) this.#removeAtOnce(positions.slice(at, at + most))
    if (this.#line().depth === 0) this.#giveBack()
  }

  /** Takes rows out of the line that nobody can make sense of, and keeps them for a person. */
  exclude(positions: ReadonlyArray<number>): void {
    const keep = this.#prepare("insert or ignore into unreadable select * from clicks where position = ?")
    const remove = this.#prepare("delete from clicks where position = ?")
    this.#transaction(() => {
      let removed = 0
      for (const position of positions) {
        keep.run(position)
        removed += Number(remove.run(position).changes)
      }
      this.#count(-removed)
    })
  }

  status(): LineStatus {
    return { depth: this.#line().depth, oldest: this.peek(1)[0] ?? null }
  }

  /** Reads every row; throws `SpoolDamaged` at the first that is not what was written. Returns how many there are. */
  readAll(): number {
    let count = 0
    for (const row of this.#prepare("select position, click, original, checksum from clicks").iterate()) {
      toRow(row)
      count++
    }
    return count
  }

  unreadable(): number {
    return Number(this.#get("select count(*) as count from unreadable")["count"])
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #write(rows: ReadonlyArray<SpoolRow>, insert: () => number): void {
    const needed = pagesNeeded(rows)
    const attempt = () =>
      this.#transaction(() => {
        const fits = this.#limit.allowsAdding(needed, this.#used())
        if (fits) this.#count(insert())
        return fits
      })
    if (attempt()) return
    // What waits in the log is on disk twice.
    this.#checkpoint()
    if (!attempt()) throw new SpoolTrouble("Full", `${this.#folder.bytes()} bytes are used`)
  }

  #removeAtOnce(positions: ReadonlyArray<number>): void {
    const remove = this.#prepare("delete from clicks where position between ? and ?")
    if (!this.#limit.allowsRemoving(positions.length, this.#used())) this.#checkpoint()
    this.#transaction(() => {
      let removed = 0
      for (const [first, last] of rangesOf(positions)) removed += Number(remove.run(first, last).changes)
      this.#count(-removed)
    })
  }

  #used(): SpaceUsed {
    return {
      pages: Number(this.#get("pragma page_count")["page_count"]),
      free: Number(this.#get("pragma freelist_count")["freelist_count"]),
      log: this.#folder.walSize()
    }
  }

  #count(added: number): void {
    this.#prepare(
      `update line set depth = depth + ?, head = coalesce(
        (select min(position) from clicks), (select seq + 1 from sqlite_sequence where name = 'clicks'))`
    ).run(added)
  }

  #line(): { readonly depth: number } {
    const depth = this.#prepare("select depth from line").get()?.["depth"]
    if (typeof depth !== "number") throw new SpoolDamaged("It has lost count")
    return { depth }
  }

  #checkpoint(): void {
    this.#database.exec("pragma wal_checkpoint(truncate)")
  }

  #giveBack(): void {
    try {
      this.#checkpoint()
      if (Number(this.#get("pragma page_count")["page_count"]) < pagesWorthFreeing) return
      this.#database.exec("vacuum")
      this.#checkpoint()
    } catch (cause) {
      // The clicks are gone from the line all the same; a disk that refuses this now is asked again after the next outage.
      if (isDamage(cause)) throw cause
    }
  }

  #transaction<A>(run: () => A): A {
    this.#database.exec("begin immediate")
    try {
      const result = run()
      this.#database.exec("commit")
      return result
    } finally {
      if (this.#database.isTransaction) this.#database.exec("rollback")
    }
  }

  #get(statement: string): Readonly<Record<string, unknown>> {
    return this.#prepare(statement).get() ?? {}
  }

  #prepare(statement: string): StatementSync {
    const found = this.#statements.get(statement) ?? this.#database.prepare(statement)
    this.#statements.set(statement, found)
    return found
  }
}
