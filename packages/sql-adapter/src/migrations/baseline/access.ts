/**
 * API keys and sessions, with the SHA-256 hashes of their secrets in hexadecimal; trusted origins, whose values are normalised; and the
 * secrets that all processes use for signatures.
 */
export const access = [
  `create table api_keys (
      id uuid primary key,
      secret_hash text not null unique,
      user_id text not null,
      role text not null check (role in ('reader', 'admin')),
      name text,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    )`,
  // "key" is the id of an API key, or the hash of CLICKS_ADMIN_KEY, which is never stored itself.
  `create table sessions (
      token_hash text primary key,
      kind text not null check (kind in ('session', 'link')),
      key text not null,
      expires_at timestamptz(3) not null
    )`,
  `create table trusted_origins (
      id uuid primary key,
      kind text not null check (kind in ('address', 'domain', 'pattern')),
      value text not null unique,
      name text,
      enabled boolean not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`,
  `create table secrets (
      name text primary key,
      value bytea not null
    )`
]
