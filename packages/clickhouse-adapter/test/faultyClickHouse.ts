import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { ArchiveFaults } from "@clicks/core/testing"
import { Effect, Layer, Option, Schedule } from "effect"
import * as ArchiveAnalyticsClickHouse from "../src/analytics/ArchiveAnalyticsClickHouse.ts"
import * as ClickHouse from "../src/ClickHouse.ts"
import * as ClickArchiveClickHouse from "../src/clicks/ClickArchiveClickHouse.ts"

/** A closed port. */
const freePort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
})

const program = join(import.meta.dirname, "chdbServer.mjs")

/** ClickHouse in its own process, which accepts orders and is restarted on the same data. */
export const makeServer = Effect.gen(function* () {
  const port = yield* freePort
  const path = mkdtempSync(join(tmpdir(), "clicks-chdb-"))
  let child: ChildProcess | undefined
  let obeyed: Promise<unknown> = Promise.resolve()

  const isRunning = () => child?.exitCode === null && child.signalCode === null
  const start = Effect.promise(async () => {
    if (isRunning()) return
    child = fork(program, [process.env["CHDB_FOLDER"] ?? "", path, String(port)], { silent: true })
    await once(child, "message")
  })
  const order = (what: "kill" | "before" | "after") =>
    Effect.promise(async () => {
      if (child === undefined) return
      const ordered = once(child, "message")
      child.send(what)
      // Otherwise an insert could arrive before the order.
      await ordered
      obeyed = once(child, what === "kill" ? "exit" : "message")
    })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      child?.kill("SIGKILL")
      rmSync(path, { recursive: true, force: true })
    })
  )
  yield* start
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    order,
    hasObeyed: Effect.map(
      Effect.timeoutOption(
        Effect.promise(() => obeyed),
        "10 seconds"
      ),
      Option.isSome
    )
  }
})

/** An archive on ClickHouse over HTTP whose process can be killed during inserts and whose connections can be cut. */
export const faultyHistory = Layer.unwrap(
  Effect.map(makeServer, ({ hasObeyed, order, start, url }) => {
    const faults = Effect.map(ClickArchive, ({ ping }) => ({
      killAtInsert: order("kill"),
      cutAtInsert: order,
      hasHappened: hasObeyed,
      recover: Effect.andThen(start, Effect.orDie(Effect.retry(ping, Schedule.spaced("50 millis"))))
    }))
    return Layer.effect(ArchiveFaults.ArchiveFaults, faults).pipe(
      Layer.provideMerge(Layer.merge(ClickArchiveClickHouse.layer, ArchiveAnalyticsClickHouse.layer)),
      Layer.provide(ClickHouse.layer({ url }))
    )
  })
)
