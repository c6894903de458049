/** Where the tables are. */
export interface Place {
  /** Created when it is missing. */
  readonly database: string
  /** The cluster whose servers all hold the same clicks; one server when absent. */
  readonly cluster?: string
  /** Leaves it to the operating system when inserts reach the disk. A crash of the machine loses clicks: for tests. */
  readonly unsynced?: boolean
}
