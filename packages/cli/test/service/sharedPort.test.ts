import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Predicate, Schedule } from "effect"
import { type Answer, RawConnection } from "../../../http/test/rawSocket.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, folderLayer, onTestDatabase } from "../clicks.ts"
import { runService } from "./runningService.ts"

const stage = Layer.mergeAll(TestDatabase.layerEmpty, folderLayer)

/** Sends a request on a new connection, and retries while the connection is refused or breaks. */
const ask = async (port: number, request: string): Promise<Answer> => {
  for (;;) {
    try {
      const connection = await RawConnection.open(port)
      const answer = await connection.send(request)
      connection.cut()
      return answer
    } catch {
      await new Promise(setImmediate)
    }
  }
}

const requestFor = (product: string) => {
  const body = JSON.stringify({ product_id: product, action: "view", source: "web" })
  return `POST /api/events/product-click HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: ${product}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Eight clients that record numbered clicks until `enough` returns true. Collects the responses by product. */
const recordUntil = async (port: number, answers: Map<string, Answer>, enough: () => boolean) => {
  let next = answers.size
  const client = async () => {
    while (!enough()) {
      const product = `p-${next++}`
      answers.set(product, await ask(port, requestFor(product)))
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

const sumOf = (counts: ReadonlyArray<number>) => counts.reduce((sum, count) => sum + count, 0)

const recordedBy = async (port: number): Promise<number> => {
  const { body } = await ask(port, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
  const counts = body.matchAll(/^clicks_recorded_total\{.*\} (\d+)$/gm)
  return sumOf(Array.from(counts, ([, count]) => Number(count)))
}

/** `clicks serve --share-port`, and its own port (`CLICKS_PROCESS_PORT`). */
const shareService = Effect.fnUntraced(function* (port: string) {
  const env = {
    ...(yield* onTestDatabase),
    CLICKS_METRICS_PUBLIC: "true",
    CLICKS_PROCESS_PORT: "0",
    PORT: port
  }
  const service = yield* runService(["serve", "--share-port"], env)
  const ownPort = yield* Effect.sync(
    () => /Process port \(metrics and health\): \S+:(\d+)/.exec(service.log())?.[1]
  ).pipe(Effect.repeat({ until: Predicate.isNotUndefined, schedule: Schedule.spaced("10 millis") }))
  return { ...service, port: Number(new URL(service.url).port), ownPort: Number(ownPort) }
})

describe("clicks serve --share-port", () => {
  it.live(
    "loses no click when one of two processes is killed, and rejects a process without --share-port",
    () =>
      Effect.gen(function* () {
        const killed = yield* shareService("0")
        const { port } = killed
        const survivor = yield* shareService(String(port))
        assert.strictEqual(survivor.port, port)

        const unshared = yield* clicks(["serve"], { env: { PORT: String(port) } })
        assert.strictEqual(unshared.code, 1)
        assert.match(unshared.stderr, /clicks: Cannot listen on 127\.0\.0\.1:\d+: the port is in use/)

        const answers = new Map<string, Answer>()
        yield* Effect.promise(() => recordUntil(port, answers, () => answers.size >= 200))
        const recorded = yield* Effect.promise(() =>
          Promise.all([killed, survivor].map(({ ownPort }) => recordedBy(ownPort)))
        ).pipe(Effect.repeat({ until: (counts) => sumOf(counts) === answers.size }))
        for (const count of recorded) assert.isAbove(count, 0)

        let atKill = Number.POSITIVE_INFINITY
        yield* Effect.promise(() =>
          recordUntil(port, answers, () => {
            if (answers.size >= 300 && atKill === Number.POSITIVE_INFINITY) {
              killed.child.kill("SIGKILL")
              atKill = answers.size
            }
            return answers.size >= atKill + 200
          })
        )
        for (const [product, { headers, status }] of answers) {
          assert.strictEqual(status, 200, product)
          assert.match(headers, /^click-receipt: (stored|duplicate|spooled)\r?$/im, product)
        }
        const listed = yield* clicks(["list", "--format", "json", "--limit", "1000"]).pipe(
          Effect.map(
            ({ stdout }) => JSON.parse(stdout).events as ReadonlyArray<{ readonly product_id: string }>
          ),
          Effect.repeat({ until: (events) => events.length >= answers.size })
        )
        const products = listed.map(({ product_id }) => product_id)
        assert.deepStrictEqual(products.toSorted(), [...answers.keys()].toSorted())
      }).pipe(Effect.scoped, Effect.provide(stage))
  )
})
