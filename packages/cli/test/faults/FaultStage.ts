import { migrate } from "@clicks/sql-adapter/migrations/migrate"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { smallDisk } from "../../../sql-adapter/test/clicks/spool/smallDisk.ts"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import { TestDatabase } from "../../../sql-adapter/test/TestDatabase.ts"
import * as CommitProxy from "./CommitProxy.ts"
import { type Build, temporaryFolder, layer as trialLayer } from "./Trial.ts"
import { takesAllBut } from "./Witness.ts"

/** The role that the service logs in as. Not a superuser, because a superuser ignores connection limits and read-only databases. */
export const role = (url: Redacted.Redacted): string =>
  `faults_${new URL(Redacted.value(url)).pathname.slice(-12)}`

// Separate statements, because a prepared statement can contain only one.
const loginStatements = (name: string, database: string) => [
  `create role "${name}" login password 'faults'`,
  `grant create, temporary, connect on database "${database}" to "${name}"`,
  `grant all on schema public to "${name}"`,
  `grant all on all tables in schema public to "${name}"`,
  `grant all on all sequences in schema public to "${name}"`,
  `alter table clicks add constraint poison check (${takesAllBut}) not valid`
]

const login = Layer.effect(
  TestDatabase,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const given = (yield* TestDatabase).url
    const url = new URL(Redacted.value(given))
    const name = role(given)
    yield* migrate
    for (const statement of loginStatements(name, url.pathname.slice(1))) yield* sql.unsafe(statement)
    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.andThen(sql.unsafe(`drop owned by "${name}"`), sql.unsafe(`drop role "${name}"`)))
    )
    url.username = name
    url.password = "faults"
    return { url: Redacted.make(url.href) }
  })
)

/** `diskBytes`: size of the spool's disk. If omitted, the spool is on this machine's disk. */
export interface StageOptions extends Build {
  readonly diskBytes?: number
}

const folderOf = ({ diskBytes }: StageOptions) =>
  diskBytes === undefined ? temporaryFolder : Effect.map(smallDisk(diskBytes), ({ path }) => path)

const service = (options: StageOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { url } = yield* CommitProxy.CommitProxy
      return trialLayer(Redacted.value(url), yield* folderOf(options), options)
    })
  )

/**
 * A service that connects to this server's database through two proxies: one makes the database unavailable or silent, the other
 * cuts connections at commits.
 */
export const onServer = <R, E>(
  server: Layer.Layer<R | TestDatabase | SqlClient.SqlClient, E>,
  options: StageOptions
) => {
  const proxies = CommitProxy.layer.pipe(Layer.provideMerge(DatabaseProxy.layer), Layer.provide(login))
  return service(options).pipe(Layer.provideMerge(proxies), Layer.provideMerge(server))
}
