/** The functions that return SQL conditions on `clicks`. */
export const conditions = [
  // Matches the given values. The `case` keeps the planner from using the text as an index condition.
  `create or replace function click_condition(fields text[], vals text[]) returns text language sql immutable as $$
      select coalesce(string_agg(
        case when field = 'action' then format('action = %L', value)
        else format('hashtextextended(%1$I, 0) = hashtextextended(%2$L, 0) and case when %1$I = %2$L then true else false end', field, value)
        end, ' and '), 'true')
      from unnest(fields, vals) as sought (field, value)
      where field <> '' and value is not null
    $$`,
  // Matches the clicks of a key. For a pair, the index of the rarer value is used.
  `create or replace function click_key_condition(key_id integer) returns text language sql stable as $$
      select coalesce(string_agg(part.condition, ' and '), 'true') from (
        select case row_number() over (order by part.n)
          when 1 then click_condition(array[part.field], array[part.value]) else format('%I = %L', part.field, part.value) end as condition
        from click_keys as k join click_keys as part on part.id in (k.id, k.first, k.second)
        where k.id = key_id and part.field <> '') as part
    $$`,
  // Matches counted clicks. While the first transactions are being counted, none come before them, so a range of time suffices.
  `create or replace function click_is_rolled(state click_rollup) returns text language sql immutable as $$
      select case
        when state.since = 'infinity' then format('arrival < %L::xid8', state.arrival)
        when state.arrival = '3' then format('arrival < %L::xid8 and occurred_at >= %L::timestamptz', state.beyond, state.since)
        else format('arrival < %L::xid8 and (arrival < %L::xid8 or occurred_at >= %L::timestamptz)', state.beyond, state.arrival, state.since)
      end
    $$`
]
