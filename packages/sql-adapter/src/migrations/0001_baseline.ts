import { Effect } from "effect"
import { counting } from "../clicks/counting/counting.ts"
import { access } from "./baseline/access.ts"
import { clicks } from "./baseline/clicks.ts"
import { stores } from "./baseline/stores.ts"
import { tasks } from "./baseline/tasks.ts"

/** The whole schema of an empty database. */
export const baseline = Effect.all([clicks, access, stores, tasks, counting], { discard: true })
