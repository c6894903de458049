/** Tasks, and crawl schedules. */
export const tasks = [
  // A waiting task is scheduled or ready, depending on the clock. "attempts" identifies a lease; "renewed_at" shows whether its worker is
  // alive.
  `create table tasks (
      id uuid primary key,
      kind text not null,
      payload jsonb not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'running', 'succeeded', 'failed', 'cancelled')),
      priority integer not null,
      run_at timestamptz not null,
      attempts integer not null default 0,
      max_attempts integer not null,
      batch_id uuid,
      error text,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      renewed_at timestamptz,
      finished_at timestamptz,
      check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null))
    )`,
  `create index tasks_in_listing_order on tasks (created_at desc, id desc)`,
  `create index tasks_by_state on tasks (state, created_at desc, id desc) where state <> 'succeeded'`,
  `create index tasks_waiting on tasks (priority desc, created_at, id) where state = 'waiting'`,
  `create index tasks_by_batch on tasks (batch_id) where batch_id is not null`,
  `create index tasks_crawling on tasks ((payload ->> 'store_id'))
    where kind = 'store-crawl' and state in ('waiting', 'running')`,
  `create table crawl_schedules (
      store_id text collate "C" primary key check (char_length(store_id) between 1 and 255),
      interval_minutes integer not null check (interval_minutes between 1 and 1440),
      enabled boolean not null,
      priority integer not null,
      last_run_at timestamptz(3),
      next_run_at timestamptz(3),
      updated_at timestamptz(3) not null,
      check (enabled = (next_run_at is not null))
    )`,
  `create index crawl_schedules_due on crawl_schedules (next_run_at) where next_run_at is not null`
]
