import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as JsonFetch from "../../src/stores/JsonFetch.ts"
import * as TestWeb from "./TestWeb.ts"

const eager = { allowPrivate: true, interval: 0 } as const

const get = (url: string, options: Partial<JsonFetch.JsonFetchOptions> = {}, trustedOrigin?: string) =>
  JsonFetch.make({ ...eager, ...options }).pipe(
    Effect.flatMap((fetch) => fetch(url, trustedOrigin)),
    Effect.scoped
  )

const fail = (url: string, options: Partial<JsonFetch.JsonFetchOptions> = {}) =>
  Effect.flip(get(url, options))
const message = (url: string, options: Partial<JsonFetch.JsonFetchOptions> = {}) =>
  Effect.map(fail(url, options), (failure) => failure.message)

describe("JsonFetch", () => {
  it.live("reads JSON of any content type except HTML", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const value = [{ product_id: "p", name: "Zoë 😀" }]
      assert.deepStrictEqual(yield* get(web.page("/menu", TestWeb.json(value))), value)
      const untyped = web.page("/untyped", (_, response) => response.end(`\ufeff${JSON.stringify(value)}`))
      assert.deepStrictEqual(yield* get(untyped), value)
      const plain = web.page("/plain", TestWeb.status(200, { "content-type": "text/plain" }, "[1]"))
      assert.deepStrictEqual(yield* get(plain), [1])
    })
  )

  it.live("sends few headers, and the URL's user and password as basic authentication", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/echo", (request, response) => response.end(JSON.stringify(request.headers)))
      const { port } = web
      const headers = yield* get(`http://us%65r:p%C3%A9@127.0.0.1:${port}/echo#part`)
      assert.deepStrictEqual(headers, {
        host: `127.0.0.1:${port}`,
        connection: "keep-alive",
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "clicks",
        authorization: `Basic ${Buffer.from("user:pé").toString("base64")}`
      })
      const odd = yield* get(`http://%zz@127.0.0.1:${port}/echo`)
      assert.propertyVal(odd, "authorization", `Basic ${Buffer.from("%zz:").toString("base64")}`)
    })
  )

  it.live("describes what is wrong with a response", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const html = { "content-type": "text/html; charset=utf-8" }
      const pages: ReadonlyArray<readonly [TestWeb.Page, string]> = [
        [TestWeb.status(200, html, "<html>"), "returned HTML instead of JSON"],
        [TestWeb.status(200, {}, "<html>"), "did not return JSON"],
        [TestWeb.status(200, {}, ""), "did not return JSON"],
        [TestWeb.status(200, {}, '[{"product_id":'), "did not return JSON"],
        [
          TestWeb.status(200, { "content-encoding": "gzip" }, "x"),
          "returned a compressed response, which was not requested"
        ],
        [TestWeb.status(404), "returned status 404"],
        [TestWeb.status(304), "returned status 304"],
        [TestWeb.status(503, html, "<html>"), "returned status 503"],
        [TestWeb.redirect("ftp://127.0.0.1/"), "redirects to something that is not an http or https URL"],
        [TestWeb.redirect("http://"), "redirects to something that is not an http or https URL"]
      ]
      for (const [index, [page, sentence]] of pages.entries()) {
        const url = web.page(`/${index}?key=secret`, page)
        assert.strictEqual(yield* message(url), `${web.origin}/${index}?… ${sentence}`)
      }
      const { port } = web
      assert.strictEqual(
        yield* message(`http://user:secret@127.0.0.1:${port}/x`),
        `http://127.0.0.1:${port}/x returned status 404`
      )
      assert.strictEqual(
        yield* message("file:///etc/passwd"),
        "file:///etc/passwd is not an http or https URL"
      )
    })
  )

  it.live("reports whether another attempt may succeed", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const codes = [400, 401, 403, 404, 408, 410, 429, 500, 502, 503]
      const isRetryable = (code: number) =>
        Effect.map(fail(web.page(`/${code}`, TestWeb.status(code))), ({ retryable }) => retryable)
      const retryable = yield* Effect.filter(codes, isRetryable)
      assert.deepStrictEqual(retryable, [408, 429, 500, 502, 503])
    })
  )

  it.live("names the URL that cannot be reached", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const closed = yield* Effect.scoped(TestWeb.start)
      assert.strictEqual(
        yield* message(`${closed.origin}/`),
        `${closed.origin}/ cannot be reached: ECONNREFUSED`
      )
      assert.strictEqual(
        yield* message("http://no-such-name.invalid/"),
        "http://no-such-name.invalid/ cannot be reached: ENOTFOUND"
      )
      const cut = web.page("/cut", (_, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("[1,")
        response.socket?.end()
      })
      const failure = yield* fail(cut)
      assert.match(failure.message, /\/cut cannot be reached: /)
      assert.isTrue(failure.retryable)
    })
  )

  it.live("times out if a server does not respond or does not finish", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const silent = web.page("/silent", () => {})
      const slow = web.page("/slow", (_, response) => {
        const drip = setInterval(() => response.write(" "), 5)
        response.on("close", () => clearInterval(drip))
      })
      for (const url of [silent, slow]) {
        const failure = yield* fail(url, { timeout: "200 millis" })
        assert.strictEqual(failure.message, `${url} cannot be reached: no complete response within 200ms`)
        assert.isTrue(failure.retryable)
      }
    })
  )

  it.live("stops reading at the size limit", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      let sent = 0
      const chunk = Buffer.alloc(2 ** 20, " ")
      const endless = web.page("/endless", (_, response) => {
        const write = () => {
          while (sent < 2 ** 30 && !response.destroyed) {
            sent += chunk.length
            if (!response.write(chunk)) return void response.once("drain", write)
          }
          response.end()
        }
        write()
      })
      const options = { maxBytes: 8 * 2 ** 20 }
      assert.strictEqual(yield* message(endless, options), `${endless} returned more than 8 MiB`)
      // The buffers of the two sockets hold what was sent beyond the limit.
      assert.isBelow(sent, 64 * 2 ** 20)

      const announced = web.page("/announced", TestWeb.status(200, { "content-length": String(2 ** 30) }))
      assert.strictEqual(yield* message(announced, options), `${announced} returned more than 8 MiB`)
    })
  )

  it.live("follows at most five redirects", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/0", TestWeb.json(["there"]))
      for (const [index, code] of [301, 302, 303, 307, 308, 302].entries()) {
        web.page(`/${index + 1}`, TestWeb.redirect(index === 0 ? "0" : `${web.origin}/${index}`, code))
      }
      assert.deepStrictEqual(yield* get(`${web.origin}/5`), ["there"])
      assert.strictEqual(yield* message(`${web.origin}/6`), `${web.origin}/6 redirects more than 5 times`)
      const loop = web.page("/loop", TestWeb.redirect("/loop"))
      assert.strictEqual(yield* message(loop), `${loop} redirects more than 5 times`)
      assert.strictEqual(
        yield* message(web.page("/astray", TestWeb.redirect("/nowhere?key=secret"))),
        `${web.origin}/astray redirects: ${web.origin}/nowhere?… returned status 404`
      )
    })
  )
})

describe("JsonFetch, public addresses only", () => {
  const publicOnly = { allowPrivate: false }
  const refused = (range: string) =>
    `is not on the public internet (${range}); set CLICKS_CRAWL_ALLOW_PRIVATE=true to allow it`

  it.live("rejects addresses that are not public, in any notation", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/", TestWeb.json([]))
      const hosts = [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "0"
      ]
      for (const host of hosts) {
        const failure = yield* fail(`http://${host}:${web.port}/`, publicOnly)
        assert.include(failure.message, "is not on the public internet", host)
        assert.isFalse(failure.retryable)
      }
      assert.strictEqual(
        yield* message("http://169.254.169.254/latest/meta-data", publicOnly),
        `http://169.254.169.254/latest/meta-data ${refused("linkLocal")}`
      )
      assert.deepStrictEqual(web.requests, [])
    })
  )

  it.live("rejects names that resolve to an address that is not public", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/", TestWeb.json([]))
      const url = `http://localhost:${web.port}/`
      assert.strictEqual(yield* message(url, publicOnly), `${url} ${refused("loopback")}`)
      // An attacker's name may resolve to a public address besides a private one.
      const mixed = yield* message(`http://shop.example:${web.port}/`, {
        ...publicOnly,
        resolve: (_, __, callback) =>
          callback(null, [
            { address: "8.8.8.8", family: 4 },
            { address: "127.0.0.1", family: 4 }
          ])
      })
      assert.include(mixed, refused("loopback"))
      assert.deepStrictEqual(web.requests, [])
    })
  )

  it.live("checks the address that the socket connects to, even if a name changes its address", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/", TestWeb.json([]))
      let lookups = 0
      const fetch = yield* JsonFetch.make({
        ...eager,
        ...publicOnly,
        resolve: (_, __, callback) => {
          lookups++
          if (lookups === 1) return callback(Object.assign(new Error("again"), { code: "EAI_AGAIN" }), [])
          callback(null, [{ address: "127.0.0.1", family: 4 }])
        }
      })
      const url = `http://rebinding.example:${web.port}/`
      assert.include((yield* Effect.flip(fetch(url))).message, "EAI_AGAIN")
      const failure = yield* Effect.flip(fetch(url))
      assert.include(failure.message, refused("loopback"))
      // Once for each connection: the name is not resolved before, and not again after the check.
      assert.strictEqual(lookups, 2)
      assert.deepStrictEqual(web.requests, [])
    })
  )

  it.live("checks the target of each redirect", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/inside", TestWeb.json(["secret"]))
      for (const target of [`http://127.0.0.1:${web.port}/inside`, `http://localhost:${web.port}/inside`]) {
        const other = yield* TestWeb.start
        const url = other.page("/menu", TestWeb.redirect(target))
        const failure = yield* Effect.flip(get(url, publicOnly, other.origin))
        assert.strictEqual(failure.message, `${url} redirects: ${target} ${refused("loopback")}`)
        assert.isFalse(failure.retryable)
      }
      assert.deepStrictEqual(web.requests, [])
    })
  )

  it.live("allows a private address for the trusted origin only", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      web.page("/stores", TestWeb.redirect("/stores/"))
      const url = `${web.origin}/stores`
      web.page("/stores/", TestWeb.json(["listed"]))
      assert.deepStrictEqual(yield* get(url, publicOnly, web.origin), ["listed"])
      const other = yield* TestWeb.start
      const failure = yield* Effect.flip(get(`${other.origin}/`, publicOnly, web.origin))
      assert.include(failure.message, refused("loopback"))
    })
  )
})
