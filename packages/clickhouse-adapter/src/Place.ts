/** Where the tables are. */
export interface Place {
  /** Created if it is missing. */
  readonly database: string
  /** The cluster whose servers all hold the same clicks. If omitted, there is one server. */
  readonly cluster?: string
  /** For tests: inserts are not synced to disk, so a crash of the machine loses clicks. */
  readonly unsynced?: boolean
}
