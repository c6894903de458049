/** The functions that define bins of time and their limits. Levels run from 1 (1,024 hours) to 7 (1 ms); level 0 is a whole key. */
export const timeBins = [
  `create or replace function click_width(level integer) returns interval language sql immutable as $$
      select (array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level]
    $$`,
  // Bins start at the earliest timestamptz, a midnight in UTC, so that no bin reaches before it.
  `create or replace function click_bin(level integer, at timestamptz) returns timestamptz language sql immutable as $$
      select date_bin((array[interval '1024 hours', '32 hours', '1 hour', '2 minutes', '4 seconds', '125 milliseconds', '1 millisecond'])[level], at, timestamptz '4714-11-24 00:00:00+00 BC')
    $$`,
  // A key or bin with more clicks is split. Reading 2,000 rows takes about a millisecond, and a range bound reads only the smaller side of
  // a bin, so 4,000 suffice. Narrow bins are split later, because a burst would otherwise split hundreds per second. Bins of four seconds
  // are split above 12,500 clicks/s; at lower rates, that saves 3 of 16 µs per click. A bound within such a bin reads at most 25,000 rows,
  // which takes 12 ms.
  `create or replace function click_limit(level integer) returns integer language sql immutable as $$
      select (array[2000, 4000, 4000, 4000, 4000, 50000, 20000, 2147483647])[level + 1]
    $$`,
  // A new key with more clicks, or a new bin whose parts have more on average, is split immediately, while its clicks are in the working
  // tables. So each written row stands for at least this many clicks.
  `create or replace function click_part_limit(level integer) returns integer language sql immutable as $$
      select case level when 0 then 250 else click_limit(level) / 64 end
    $$`,
  // A value with more clicks is paired. Reading 10,000 rows takes about 15 ms. At most about 500 values of a field can exceed 1/500 of all
  // clicks, which limits the number of pairs to 2.5 million.
  `create or replace function click_pairing_limit(clicks bigint) returns bigint language sql immutable as $$
      select greatest(10000, clicks / 500)
    $$`
]
