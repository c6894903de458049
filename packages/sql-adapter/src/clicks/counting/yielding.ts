/**
 * A condition that is always true. For one row in fifty, it calls `click_yield`, so that no statement of a step uses a processor for long.
 */
export const yields = "case when random() < 0.02 then click_yield() else true end"

/** The function that divides a step into slices. */
export const yielding = [
  // After 3 ms of work, sleeps "clicks.rest" times as long as the work took. Both are elapsed times, so a step sleeps longer on a busy
  // machine. It does not sleep for hours after the machine was suspended or its clock was set. Without the setting (a step without rest, or
  // a deletion), it returns at once.
  `create or replace function click_yield() returns boolean language plpgsql cost 1 as $$
    declare
      rest double precision := nullif(current_setting('clicks.rest', true), '');
      worked double precision;
    begin
      if rest > 0 then
        worked := extract(epoch from clock_timestamp()) - current_setting('clicks.resumed')::double precision;
        if worked > 0.003 then
          perform pg_sleep(least(worked, 1) * rest);
          perform set_config('clicks.resumed', extract(epoch from clock_timestamp())::text, true);
        end if;
      end if;
      return true;
    end $$`
]
