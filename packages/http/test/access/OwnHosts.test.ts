import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { parseOwnHosts } from "../../src/access/OwnHosts.ts"
import type { HttpServerOptions } from "../../src/HttpServerOptions.ts"
import { rawSocket } from "../rawSocket.ts"
import { adminKey, click, many, one, posting, testServer } from "../TestServer.ts"

/** A server that trusts the address of the test. `statusOf` sends a listing request with these header lines. */
const trusting = Effect.fnUntraced(function* (options: Partial<HttpServerOptions> = {}) {
  const server = yield* testServer({ options })
  const entry = posting({ kind: "address", value: "127.0.0.1" })
  assert.strictEqual((yield* server.askAdmin("/api/admin/trusted-origins", entry)).status, 201)
  const statusOf = (...lines: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const socket = yield* rawSocket(server.port)
      socket.write([`GET ${many} HTTP/1.1`, ...lines, "Connection: close", "", ""].join("\r\n"))
      return Number(/^HTTP\/1\.1 (\d+)/.exec(yield* socket.closed)?.[1])
    }).pipe(Effect.scoped)
  return { ...server, statusOf }
})

const hosts = (list: string) => ({ hosts: Result.getOrThrow(parseOwnHosts(list)) })

describe("the Host of a request from a trusted address", () => {
  it.live("may be localhost or the listening address, with any port, if no hosts are set", () =>
    Effect.gen(function* () {
      const { port, statusOf } = yield* trusting()
      for (const host of [
        `127.0.0.1:${port}`,
        "127.0.0.1",
        `localhost:${port}`,
        "localhost",
        "LocalHost.:8080",
        "[::ffff:127.0.0.1]"
      ]) {
        assert.strictEqual(yield* statusOf(`Host: ${host}`), 200, host)
      }
    })
  )

  it.live("must not be another name: returns 401 to a page that rebinds its name to this address", () =>
    Effect.gen(function* () {
      const { log, port, statusOf } = yield* trusting()
      for (const host of [
        "attacker.example",
        `attacker.example:${port}`,
        "localhost.attacker.example",
        "127.0.0.1.attacker.example",
        "127.0.0.2",
        "[::1]",
        "localhost:x",
        "localhost:80:80",
        "user@localhost",
        "127.1",
        ""
      ]) {
        assert.strictEqual(yield* statusOf(`Host: ${host}`), 401, host)
      }
      const warnings = log.filter((line) => line.includes("CLICKS_HOSTS"))
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0] ?? "", 'from the trusted address 127.0.0.1: its Host is "attacker.example"')
    })
  )

  it.live("may be the local address of the connection if the server listens on all addresses", () =>
    Effect.gen(function* () {
      const { statusOf } = yield* trusting({ host: "0.0.0.0" })
      assert.strictEqual(yield* statusOf("Host: 127.0.0.1"), 200)
      assert.strictEqual(yield* statusOf("Host: localhost"), 200)
      assert.strictEqual(yield* statusOf("Host: 192.0.2.1"), 401)
      assert.strictEqual(yield* statusOf("Host: attacker.example"), 401)
    })
  )

  it.live("must be one of the configured hosts, with its port if it has one", () =>
    Effect.gen(function* () {
      const { statusOf } = yield* trusting(
        hosts("Clicks.Example, bücher.example:8443, [2001:DB8:0::7], ::1, tls.example:443")
      )
      for (const host of [
        "clicks.example",
        "CLICKS.example.:1234",
        "xn--bcher-kva.example:8443",
        "[2001:db8::7]:3000",
        "[::1]",
        "tls.example",
        "tls.example:443"
      ]) {
        assert.strictEqual(yield* statusOf(`Host: ${host}`), 200, host)
      }
      for (const host of [
        "localhost",
        "127.0.0.1",
        "xn--bcher-kva.example",
        "xn--bcher-kva.example:8080",
        "tls.example:80",
        "[2001:db8::8]"
      ]) {
        assert.strictEqual(yield* statusOf(`Host: ${host}`), 401, host)
      }
    })
  )

  it.live("does not matter with a key, for recording, or if the Origin header is trusted", () =>
    Effect.gen(function* () {
      const server = yield* trusting({ trustOriginHeader: true })
      const foreign = "Host: attacker.example"
      assert.strictEqual(yield* server.statusOf(foreign, `X-API-Key: ${adminKey}`), 200)
      const shop = posting({ kind: "domain", value: "shop.example" })
      yield* server.askAdmin("/api/admin/trusted-origins", shop)
      assert.strictEqual(yield* server.statusOf(foreign, "Origin: https://shop.example"), 200)
      assert.strictEqual(yield* server.statusOf(foreign, "Origin: https://attacker.example"), 401)
      const socket = yield* rawSocket(server.port)
      const body = JSON.stringify(click)
      socket.write(
        `POST ${one} HTTP/1.1\r\n${foreign}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
      )
      assert.match(yield* socket.closed, /^HTTP\/1\.1 200 /)
      assert.lengthOf(yield* server.stored, 1)
    })
  )
})

describe("a list of own hosts", () => {
  it("names the entry that is not a host", () => {
    for (const entry of ["https://clicks.example", "clicks.example/", "*.example", "a:b:c", "host:123456"]) {
      assert.deepStrictEqual(parseOwnHosts(`localhost, ${entry}`), Result.fail(entry))
    }
  })
})
