/**
 * The record of what has moved to an archive (`CLICKHOUSE_URL`). Without an archive, the tables are empty and nothing here runs: the
 * triggers on `clicks` are created when an archive is first used.
 */
export const archive = [
  // At most one row.
  // - "mark": all clicks of the transactions visible in it are in moved batches.
  // - "caught_up_at": until it is set, readers ignore the archive, because "clicks" contains everything.
  // - "system": the cluster, because transaction numbers are meaningless in another one.
  // - "id": known to the archive, so that no other database uses it.
  // - "deletions": incremented by each transaction that deletes clicks after the mark.
  // - "current_at": all clicks stored before it have been moved.
  // - "expired", "expired_first", "expired_last": clicks from before the instant, or with ids in the range, are being deleted.
  // - "removed_until": the newest time of a click that has left "clicks".
  `create table click_archive (
      single boolean primary key default true check (single),
      id uuid not null default gen_random_uuid(),
      system text not null,
      mark pg_snapshot not null default '3:3:',
      moved integer not null default 0,
      last_attempt integer not null default 0,
      clicks bigint not null default 0,
      deletions bigint not null default 0,
      caught_up_at timestamptz(3),
      current_at timestamptz(3) not null default now(),
      expired timestamptz(3),
      expired_first uuid,
      expired_last uuid,
      removed_until timestamptz(3)
    ) with (fillfactor = 50)`,
  // At most one is open. Abandoned attempts are kept forever: a mover that was paused may write to its attempt months later. Moved attempts
  // are kept until their clicks have left "clicks".
  `create table click_archive_attempts (
      attempt integer primary key,
      state text not null check (state in ('open', 'moved', 'abandoned')),
      until pg_snapshot not null,
      is_whole boolean not null,
      deletions bigint not null,
      begun_at timestamptz not null default clock_timestamp(),
      active_at timestamptz not null,
      clicks bigint,
      checksum text,
      moved_at timestamptz,
      check ((state = 'moved') = (moved_at is not null))
    )`,
  `create unique index click_archive_attempts_open on click_archive_attempts (state) where state = 'open'`,
  `create index click_archive_attempts_abandoned on click_archive_attempts (attempt) where state = 'abandoned'`,
  // Ids derived from an Idempotency-Key or an imported row, including those of clicks that have left "clicks".
  `create table click_ledger (id uuid primary key)`,
  // Skips a click whose id is known. The ledger is locked first, here and in removal, so that the two wait for each other instead of
  // deadlocking.
  `create function enter_click_ledger() returns trigger language plpgsql as $$
    begin
      insert into click_ledger (id) values (new.id) on conflict do nothing;
      if found then return new; end if;
      return null;
    end $$`,
  // A deleted click may be on its way to the archive. Because of this count, the open attempt cannot be completed.
  `create function note_click_deletion() returns trigger language plpgsql as $$
    begin
      update click_archive set deletions = deletions + 1
      where exists (select from gone where not pg_visible_in_snapshot(gone.arrival, click_archive.mark));
      return null;
    end $$`
]
