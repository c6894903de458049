import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { pidFile } from "./discard.ts"

const rule = "host all postgres,clicks 127.0.0.1/32 trust\n"

/**
 * Lets the superuser of a running temporary database log in, to create databases and roles; in production, it has no password. Returns its
 * URL. `url` is the one from `EmbeddedPostgres`.
 */
export const superuserUrl = Effect.fnUntraced(function* (dataDir: string, url: Redacted.Redacted) {
  const rules = join(dataDir, "postgres", "pg_hba.conf")
  const text = readFileSync(rules, "utf8")
  if (!text.startsWith(rule)) writeFileSync(rules, rule + text)
  process.kill(Number(readFileSync(pidFile(dataDir), "utf8").split("\n")[0]), "SIGHUP")
  const login = new URL(Redacted.value(url))
  login.username = "postgres"
  login.password = "not-asked-for"
  const superuser = Redacted.make(login.href)
  yield* PgConnection.make({ url: superuser }).pipe(
    Effect.scoped,
    // The server reloads its rules a moment later.
    Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 1_000 }),
    Effect.orDie
  )
  return superuser
})
