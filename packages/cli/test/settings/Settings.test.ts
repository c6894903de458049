import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { layerFrom, Settings } from "../../src/settings/Settings.ts"

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  Settings.pipe(Effect.provide(layerFrom(environment)))

describe("settings", () => {
  it.effect("have defaults, also for empty variables", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({ PORT: "", DATABASE_URL: "" })
      assert.deepInclude(settings, {
        port: 3000,
        host: "127.0.0.1",
        databaseUrl: undefined,
        maxConcurrentTasks: 5,
        corsOrigins: "*",
        trustedProxies: [],
        trustOriginHeader: false
      })
      assert.match(settings.dataDir, /^\/.*\.clicks$/)
    })
  )

  it.effect("are read from the environment", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({
        PORT: "0",
        CLICKS_ADMIN_KEY: "0123456789abcdef",
        CLICKS_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        CLICKS_CORS_ORIGINS: "https://shop.example, http://localhost:8080",
        LOG_LEVEL: "DEBUG",
        CLICKS_DISCOVERY_URL: "https://stores.example/{state}.json"
      })
      assert.strictEqual(settings.port, 0)
      assert.deepStrictEqual(settings.corsOrigins, ["https://shop.example", "http://localhost:8080"])
      assert.strictEqual(settings.logLevel, "Debug")
      assert.strictEqual(settings.discoveryUrl, "https://stores.example/{state}.json")
      assert.strictEqual(settings.trustedProxies.length, 2)
      assert.strictEqual(settings.adminKey && Redacted.value(settings.adminKey), "0123456789abcdef")
    })
  )

  // In cmd.exe, `set PORT=8080 && npx clicks start` sets "8080 ".
  it.effect("can have spaces around a number", () =>
    Effect.gen(function* () {
      const { port, spoolMaxBytes } = yield* settingsOf({ PORT: "8080 ", CLICKS_SPOOL_MAX_BYTES: " 2 MiB " })
      assert.deepStrictEqual([port, spoolMaxBytes], [8080, 2 * 1024 ** 2])
    })
  )

  it.effect("are checked for unknown names, and the closest known name is suggested", () =>
    Effect.gen(function* () {
      const { warnings } = yield* settingsOf({
        CLICKS_ADMIN_KYE: "0123456789abcdef",
        CLICKS_RETENTON_DAYS: "30",
        CLICKS_PORT: "8080",
        CLICKS_COLOUR: "red",
        CLICKS_DATA_DIR: "x",
        OTHER: "1"
      })
      assert.deepStrictEqual(warnings, [
        "Ignoring the unknown setting CLICKS_ADMIN_KYE. Did you mean CLICKS_ADMIN_KEY?",
        "Ignoring the unknown setting CLICKS_RETENTON_DAYS. Did you mean CLICKS_RETENTION_DAYS?",
        "Ignoring the unknown setting CLICKS_PORT. Did you mean PORT?",
        "Ignoring the unknown setting CLICKS_COLOUR."
      ])
    })
  )

  it.effect("are rejected with their name, the given value and the accepted values", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["PORT", "65536"],
        ["PORT", "http"],
        ["CLICKS_PROCESS_PORT", "-1"],
        ["HOST", "http://host"],
        ["CLICKS_RETENTION_DAYS", "0.5"],
        ["CLICKS_SPOOL_MAX_BYTES", "1 KB"],
        ["MAX_CONCURRENT_TASKS", "0"],
        ["CLICKS_JWKS_URL", "file:///etc/passwd"],
        ["CLICKS_HOSTS", "clicks.example, https://clicks.example"],
        ["CLICKS_TRUSTED_PROXIES", "10.0.0.0/33"],
        ["CLICKS_TRUST_ORIGIN_HEADER", "perhaps"],
        ["CLICKS_CORS_ORIGINS", "https://shop.example/path"],
        ["CLICKS_CORS_ORIGINS", "https://*.example"],
        ["CLICKS_CORS_ORIGINS", "https://shop.example, https://*.shop.example:8443"],
        ["CLICKS_METRICS_PUBLIC", "2"],
        ["CLICKS_METRICS_PUBLIC", "yes"],
        ["CLICKS_DISCOVERY_URL", "https://stores.example"],
        ["CLICKS_CRAWL_ALLOW_PRIVATE", "maybe"],
        ["LOG_LEVEL", "loud"],
        ["LOG_FORMAT", "xml"]
      ] as const) {
        const { message } = yield* Effect.flip(settingsOf({ [name]: value }))
        assert.include(message, `Invalid ${name} "${value}". Expected `)
      }
      const { message } = yield* Effect.flip(settingsOf({ HOST: "/".repeat(10_000) }))
      assert.isBelow(message.length, 300)
    })
  )

  it.effect("are rejected if tokens of other services would be valid, or if no token could be verified", () =>
    Effect.gen(function* () {
      const keySet = { CLICKS_JWKS_URL: "https://issuer.example/keys" }
      const secret = { CLICKS_JWT_SECRET: "a hidden secret of more than 32 characters" }
      const audience = { CLICKS_JWT_AUDIENCE: "clicks" }
      const both = yield* Effect.flip(settingsOf({ ...keySet, ...secret, ...audience }))
      assert.match(both.message, /^CLICKS_JWT_SECRET and CLICKS_JWKS_URL are both set\. /)
      assert.notInclude(both.message, "hidden")
      const open = yield* Effect.flip(settingsOf({ ...keySet, CLICKS_JWT_ISSUER: "https://issuer.example" }))
      assert.match(open.message, /^CLICKS_JWKS_URL requires CLICKS_JWT_AUDIENCE\. /)
      const { jwtAudience } = yield* settingsOf({ ...keySet, ...audience })
      assert.strictEqual(jwtAudience, "clicks")
      yield* settingsOf({ ...keySet, CLICKS_JWT_AUDIENCE: "*" })
      yield* settingsOf(secret)
    })
  )

  it.effect("are rejected if one process would open a port twice", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(settingsOf({ PORT: "4350", CLICKS_PROCESS_PORT: "4350" }))
      assert.strictEqual(message, "PORT and CLICKS_PROCESS_PORT are both 4350. Use two different ports")
      yield* settingsOf({ PORT: "0", CLICKS_PROCESS_PORT: "0" })
    })
  )

  it.effect("are rejected if every client would be a trusted proxy, unless explicitly allowed", () =>
    Effect.gen(function* () {
      for (const every of [
        "0.0.0.0/0",
        "::/0",
        "10.0.0.0/8, ::/0",
        "::ffff:0:0/96",
        "0:0::ffff:0.0.0.0/96",
        "0.0.0.0/1,128.0.0.0/1",
        "8.0.0.0/7",
        "2000::/3"
      ]) {
        const { message } = yield* Effect.flip(settingsOf({ CLICKS_TRUSTED_PROXIES: every }))
        assert.match(message, /^CLICKS_TRUSTED_PROXIES contains \S+, a range wider than /, every)
        yield* settingsOf({ CLICKS_TRUSTED_PROXIES: every, CLICKS_TRUST_ANY_PROXY: "true" })
      }
      yield* settingsOf({ CLICKS_TRUSTED_PROXIES: "10.0.0.0/8, ::1, 2001::/16, fc00::/7, fe80::/10" })
    })
  )

  it.effect("are rejected if trusted proxies together cover a large part of all public addresses", () =>
    Effect.gen(function* () {
      const ipv4 = Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join()
      for (const many of [ipv4, "3.0.0.0/8, 52.0.0.0/9", "2600::/16, 2a00::/16", `10.0.0.0/8, ${ipv4}`]) {
        const { message } = yield* Effect.flip(settingsOf({ CLICKS_TRUSTED_PROXIES: many }))
        assert.match(message, /^CLICKS_TRUSTED_PROXIES contains public ranges that together are wider than /)
        yield* settingsOf({ CLICKS_TRUSTED_PROXIES: many, CLICKS_TRUST_ANY_PROXY: "true" })
      }
      const own = "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 127.0.0.0/8, 100.64.0.0/10, 104.16.0.0/13"
      yield* settingsOf({ CLICKS_TRUSTED_PROXIES: `${own}, 172.64.0.0/13, 2400:cb00::/32, 2606:4700::/32` })
    })
  )

  it.effect("are rejected without their value if it may be a secret", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["DATABASE_URL", "mysql://user:hidden@host/x"],
        ["DATABASE_URL", "hidden"],
        ["CLICKS_ADMIN_KEY", "fifteen-hidden!"],
        ["CLICKS_JWT_SECRET", "a hidden one of 30 characters"],
        ["CLICKS_JWKS_URL", "htps://user:hidden@issuer.example/keys"],
        ["CLICKS_DISCOVERY_URL", "https://stores.example/?token=hidden"],
        ["HOST", "postgres://host.hidden/clicks"]
      ] as const) {
        const { message } = yield* Effect.flip(settingsOf({ [name]: value }))
        assert.match(message, new RegExp(`^Invalid ${name}\\. Expected `))
        assert.notInclude(message, "hidden")
      }
    })
  )
})
