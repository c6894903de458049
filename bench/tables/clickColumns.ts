import { columnNames } from "../../packages/sql-adapter/src/clicks/clickColumns.ts"

/** The columns of an event, in the order of its fields. */
export const clickColumns = columnNames.join(", ")
