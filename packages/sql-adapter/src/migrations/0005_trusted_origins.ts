import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who is trusted without a credential. Values are in their normal form, so equal ones are equal texts. */
export const trustedOrigins = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table trusted_origins (
      id uuid primary key,
      kind text not null check (kind in ('address', 'domain', 'pattern')),
      value text not null unique,
      name text,
      enabled boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`
})
