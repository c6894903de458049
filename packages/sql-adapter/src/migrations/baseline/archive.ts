/**
 * What has moved to an archive (`CLICKHOUSE_URL`). Empty without one, and nothing here runs then: the triggers on `clicks` are created when
 * an archive is first used.
 */
export const archive = [
  // At most one row. "mark" shows the transactions whose clicks are all in moved batches. Until "caught_up_at", readers ignore the archive, because
  // "clicks" holds everything. Transaction numbers are meaningless in another cluster, so the row names its cluster. The archive
  // has the "id", so that no other database uses it. "deletions" grows with
  // each transaction that deletes clicks after the mark. All clicks that were stored before "current_at" are moved. Clicks from before
  // "expired" are being deleted, and those whose id is between "expired_first" and "expired_last". "removed_until" is the newest time of a
  // click that has left "clicks".
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
  // One is open at most. Those that were abandoned stay for ever: a mover that was paused may write to its number months later. Those
  // that were moved stay until their clicks have left "clicks".
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
  // Ids that follow from an Idempotency-Key or an imported row, also of clicks that have left "clicks".
  `create table click_ledger (id uuid primary key)`,
  // Skips a click whose id is known. The ledger comes first here and in removal, so that the two wait for each other instead of locking up.
  `create function enter_click_ledger() returns trigger language plpgsql as $$
    begin
      insert into click_ledger (id) values (new.id) on conflict do nothing;
      if found then return new; end if;
      return null;
    end $$`,
  // A deleted click may be on its way to the archive: the attempt under way is not completed.
  `create function note_click_deletion() returns trigger language plpgsql as $$
    begin
      update click_archive set deletions = deletions + 1
      where exists (select from gone where not pg_visible_in_snapshot(gone.arrival, click_archive.mark));
      return null;
    end $$`
]
