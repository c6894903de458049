import { SpoolDatabase } from "./SpoolDatabase.ts"
import type { SpoolFolder } from "./SpoolFolder.ts"
import { SpoolReserve } from "./SpoolReserve.ts"
import { checksum, type PlacedRow, rangesOf, type SpoolRow, toRow } from "./SpoolRow.ts"
import { pagesNeeded, SpaceLimit, type SpaceUsed } from "./SpoolSpace.ts"
import { isDamage, isOutOfSpace, SpoolDamaged, SpoolTrouble } from "./SpoolTrouble.ts"

// An empty file is made small again from 16 MiB on; below, its free pages are kept for the next outage.
const pagesWorthFreeing = 4096

const columns = "position, click, original, checksum"

export interface LineStatus {
  readonly depth: number
  /** The click that waits longest. */
  readonly oldest: SpoolRow | null
}

/** The line in one opened file. Throws what SQLite throws, `SpoolDamaged` or, without space, `SpoolTrouble`. */
export class SpoolFile {
  readonly inode: number
  readonly #database: SpoolDatabase
  readonly #folder: SpoolFolder
  readonly #limit: SpaceLimit
  readonly #reserve: SpoolReserve

  constructor(folder: SpoolFolder, inode: number, maxBytes: number, patience: number) {
    this.inode = inode
    this.#folder = folder
    this.#limit = new SpaceLimit(maxBytes)
    this.#reserve = new SpoolReserve(folder.reserve, this.#limit.reserve)
    this.#database = new SpoolDatabase(folder.file, this.#limit.maxPages, patience)
  }

  /** Reads the whole structure; half a second for a GiB in memory. */
  verify(): void {
    const found = String(this.#database.get("pragma quick_check(1)")["quick_check"])
    if (found !== "ok") throw new SpoolDamaged(found)
    this.#depth()
  }

  append(rows: ReadonlyArray<SpoolRow>): void {
    this.#reserve.hold()
    const insert = this.#database.prepare("insert into clicks (click, original, checksum) values (?, ?, ?)")
    this.#write(rows, () => {
      for (const row of rows) insert.run(row.click, row.original, checksum(row))
      return rows.length
    })
  }

  /** Puts salvaged rows back in their places. A row that is there already is left alone; where another one is, to the end. */
  restore(rows: ReadonlyArray<PlacedRow>): void {
    this.#write(rows, () => rows.filter((row) => this.#restore(row)).length)
  }

  peek(limit: number, after = 0): ReadonlyArray<PlacedRow> {
    return this.#database
      .prepare(`select ${columns} from clicks where position > ? order by position limit ?`)
      .all(after, limit)
      .map(toRow)
  }

  remove(positions: ReadonlyArray<number>): void {
    const most = this.#limit.rowsToRemove
    for (let at = 0; at < positions.length; at += most) this.#removeAtOnce(positions.slice(at, at + most))
    if (this.#depth() === 0) this.#giveBack()
  }

  /** Takes rows out of the line that nobody can make sense of, and keeps them for a person. */
  exclude(positions: ReadonlyArray<number>): void {
    const keep = this.#database.prepare(
      "insert or ignore into unreadable select * from clicks where position = ?"
    )
    this.#makingRoom(() => {
      for (const position of positions) keep.run(position)
    })
    this.#removeAtOnce(positions)
  }

  status(): LineStatus {
    return { depth: this.#depth(), oldest: this.peek(1)[0] ?? null }
  }

  /** Reads every row; throws `SpoolDamaged` at the first that is not what was written. Returns how many there are. */
  readAll(): number {
    let count = 0
    for (const row of this.#database.prepare(`select ${columns} from clicks`).iterate()) {
      toRow(row)
      count++
    }
    return count
  }

  unreadable(): number {
    return Number(this.#database.get("select count(*) as count from unreadable")["count"])
  }

  close(): void {
    this.#database.close()
  }

  #write(rows: ReadonlyArray<SpoolRow>, insert: () => number): void {
    const needed = pagesNeeded(rows)
    const attempt = () =>
      this.#database.transaction(() => {
        const fits = this.#limit.allowsAdding(needed, this.#used())
        if (fits) this.#count(insert())
        return fits
      })
    if (attempt()) return
    // What waits in the log is on disk twice.
    this.#database.checkpoint()
    if (!attempt()) throw new SpoolTrouble("Full", `${this.#folder.bytes()} bytes are used`)
  }

  #restore(row: PlacedRow): boolean {
    const there = this.#database.prepare("select checksum from clicks where position = ?").get(row.position)
    if (there?.["checksum"] === checksum(row)) return false
    this.#database
      .prepare(`insert into clicks (${columns}) values (?, ?, ?, ?)`)
      .run(there === undefined ? row.position : null, row.click, row.original, checksum(row))
    return true
  }

  #removeAtOnce(positions: ReadonlyArray<number>): void {
    const remove = this.#database.prepare("delete from clicks where position between ? and ?")
    this.#makingRoom(() => {
      if (!this.#limit.allowsRemoving(positions.length, this.#used())) this.#database.checkpoint()
      this.#database.transaction(() => {
        let removed = 0
        for (const [first, last] of rangesOf(positions)) removed += Number(remove.run(first, last).changes)
        this.#count(-removed)
      })
    })
  }

  /** Runs it again in the room of the reserve when the disk has no other. */
  #makingRoom(run: () => void): void {
    try {
      run()
    } catch (cause) {
      if (!isOutOfSpace(cause)) throw cause
      this.#reserve.release()
      // Then the log's room is free too.
      this.#database.checkpoint()
      run()
    }
  }

  #used(): SpaceUsed {
    return { ...this.#database.pagesUsed(), log: this.#folder.walSize() }
  }

  #count(added: number): void {
    this.#database
      .prepare(
        `update line set depth = depth + ?, head = coalesce(
          (select min(position) from clicks), (select seq + 1 from sqlite_sequence where name = 'clicks'))`
      )
      .run(added)
  }

  #depth(): number {
    const { depth } = this.#database.get("select depth from line")
    if (typeof depth !== "number") throw new SpoolDamaged("It has lost count")
    return depth
  }

  #giveBack(): void {
    try {
      this.#database.checkpoint()
      if (this.#database.pagesUsed().pages >= pagesWorthFreeing) this.#database.vacuum()
    } catch (cause) {
      // The clicks are gone from the line all the same; a disk that refuses this now is asked again after the next outage.
      if (isDamage(cause)) throw cause
    }
  }
}
