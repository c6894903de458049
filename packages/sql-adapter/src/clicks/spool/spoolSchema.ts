import { DatabaseSync } from "node:sqlite"
import { pageSize } from "./SpoolSpace.ts"
import { SpoolDamaged, SpoolTrouble } from "./SpoolTrouble.ts"

// "clks", so that `file` and we ourselves know the file.
const applicationId = 0x636c6b73
const version = 1

// Positions are never used again (autoincrement): a process that removes what it had read before must not hit a click that
// came since. `head` and `depth` are those of the same commit, so that a salvage knows what is missing.
const statements = `
  create table clicks (
    position integer primary key autoincrement,
    click text not null,
    original blob,
    checksum integer not null
  ) strict;
  create table line (id integer primary key, depth integer not null, head integer not null) strict;
  create table unreadable (
    position integer primary key,
    click text not null,
    original blob,
    checksum integer not null
  ) strict;
`

/**
 * Makes a new file. Its positions begin with the time in microseconds, so beyond all of the file before it: clicks that are
 * salvaged from there keep their places.
 */
export const create = (path: string, now: number): void => {
  const database = new DatabaseSync(path)
  try {
    database.exec(`pragma page_size = ${pageSize}; pragma journal_mode = wal; pragma synchronous = full`)
    database.exec(
      `begin; ${statements} pragma application_id = ${applicationId}; pragma user_version = ${version}`
    )
    const first = now * 1000
    database.prepare("insert into line values (1, 0, ?)").run(first)
    database.prepare("insert into sqlite_sequence (name, seq) values ('clicks', ?)").run(first - 1)
    database.exec("commit")
  } finally {
    database.close()
  }
}

const pragma = (database: DatabaseSync, name: string): unknown =>
  database.prepare(`pragma ${name}`).get()?.[name]

/** Refuses a file that is not one of ours. */
export const assertOurs = (database: DatabaseSync): void => {
  if (pragma(database, "application_id") !== applicationId) throw new SpoolDamaged("It is not a spool")
  const found = Number(pragma(database, "user_version"))
  if (found > version) {
    throw new SpoolTrouble(
      "Unavailable",
      `The spool was made by a newer version of Clicks (${found}, this one knows ${version})`
    )
  }
}
