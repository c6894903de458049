/**
 * A user of the embedded database in a separate process: `node holder.ts <data folder>`. Writes its URL or the error message to stdout, and
 * releases the database when its stdin ends.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"

const stdinEnds = Effect.callback<void>((resume) => {
  process.stdin.once("end", () => resume(Effect.void)).resume()
})

const program = Effect.gen(function* () {
  const { url } = yield* EmbeddedPostgres.acquire({
    dataDir: process.argv[2] ?? "",
    settings: { fsync: "off" }
  })
  console.log(Redacted.value(url))
  yield* stdinEnds
}).pipe(
  Effect.scoped,
  Effect.tapError((error) => Effect.sync(() => console.log(error.message)))
)

NodeRuntime.runMain(program)
