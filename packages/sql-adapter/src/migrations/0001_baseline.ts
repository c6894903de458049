import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { counting } from "../clicks/counting/counting.ts"
import { access } from "./baseline/access.ts"
import { archive } from "./baseline/archive.ts"
import { clicks } from "./baseline/clicks.ts"
import { stores } from "./baseline/stores.ts"
import { tasks } from "./baseline/tasks.ts"

/** The whole schema of an empty database. */
export const baseline = SqlClient.SqlClient.use((sql) =>
  Effect.forEach(
    [...clicks, ...archive, ...access, ...stores, ...tasks, ...counting],
    (statement) => sql.unsafe(statement),
    {
      discard: true
    }
  )
)
