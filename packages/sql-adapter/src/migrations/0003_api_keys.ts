import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The keys callers present; of the secret only its SHA-256, in hexadecimal. */
export const apiKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table api_keys (
      id uuid primary key,
      secret_hash text not null unique,
      user_id text not null,
      role text not null check (role in ('reader', 'admin')),
      name text,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    )`
})
