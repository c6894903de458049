/**
 * A worker in a separate process: `steppingWorker.ts <database url>`. Every tenth of a second, its tasks write a row into `steps`, so that
 * a test sees which process did what and when.
 */
import { TaskFailure } from "@clicks/core/tasks/TaskKind"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../../sql-adapter/src/Database.ts"
import * as TaskLeasesSql from "../../../sql-adapter/src/tasks/TaskLeasesSql.ts"
import * as TaskWorker from "../../src/tasks/TaskWorker.ts"
import { onNumber } from "./workerSteps.ts"

const [url = ""] = process.argv.slice(2)

const step = Effect.fnUntraced(function* (task: string, attempt: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into steps (task, attempt, pid) values (${task}, ${attempt}, ${process.pid})`
})

/** Takes as many tenths of a second as the number in its payload. */
const handler = onNumber((n, { attempt, id }) =>
  step(id, attempt).pipe(
    Effect.andThen(Effect.sleep("100 millis")),
    Effect.repeat({ times: n - 1 }),
    Effect.mapError(
      (cause) => new TaskFailure({ message: "No step could be written", retryable: true, cause })
    )
  )
)

const ready = Layer.effectDiscard(Effect.sync(() => process.stdout.write("ready\n")))

ready.pipe(
  Layer.provideMerge(TaskWorker.layer([handler])),
  Layer.provide(TaskLeasesSql.layer),
  Layer.provide(Database.layer({ url: Redacted.make(url) })),
  Layer.launch,
  NodeRuntime.runMain
)
