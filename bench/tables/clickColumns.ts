import { columnNames } from "../../packages/sql-adapter/src/clicks/clickColumns.ts"

/** The columns that an event has, in the order of its fields. */
export const clickColumns = columnNames.join(", ")
