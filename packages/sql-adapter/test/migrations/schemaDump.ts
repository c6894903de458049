import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Line {
  readonly object: string
  readonly line: string
}

// The catalog records "not null" with the column and, since PostgreSQL 18, also as a constraint; the former is enough.
const lines = (sql: SqlClient.SqlClient) => ({
  columns: sql<Line>`
    select relname as object, concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end,
      case when attidentity <> '' then 'generated as identity' end,
      case attgenerated when 's' then 'stored as' when 'v' then 'computed as' else 'default' end
        || ' ' || pg_get_expr(adbin, adrelid)) as line
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by relname collate "C", attnum`,
  constraints: sql<Line>`
    select conrelid::regclass::text as object, 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line
    from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
    order by conname collate "C"`,
  options: sql<Line>`
    select relname as object, array_to_string(reloptions, ', ') as line from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and reloptions is not null`,
  indexes: sql<Line>`
    select indrelid::regclass::text as object, pg_get_indexdef(indexrelid) || ';' as line
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
    order by relname collate "C"`,
  triggers: sql<Line>`
    select tgrelid::regclass::text as object, pg_get_triggerdef(pg_trigger.oid) || ';' as line
    from pg_trigger where not tgisinternal
    order by tgname collate "C"`,
  others: sql<Line>`
    select '' as object, line from (
      select pg_get_functiondef(oid) || ';' as line from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select 'view ' || relname || ' as' || pg_get_viewdef(oid) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
      union all
      select concat_ws(' ', 'CREATE DOMAIN', typname, 'AS', format_type(typbasetype, typtypmod), pg_get_constraintdef(pg_constraint.oid)) || ';'
      from pg_type join pg_constraint on contypid = pg_type.oid where typnamespace = 'public'::regnamespace
    ) as definitions
    order by line collate "C"`
})

/** The schema from the catalog, tables by name. `schema.sql` contains it, so that a migration shows up as a difference. */
export const schemaDump = Effect.gen(function* () {
  const { columns, constraints, indexes, options, others, triggers } = yield* Effect.all(
    lines(yield* SqlClient.SqlClient)
  )
  const of = (table: string, from: ReadonlyArray<Line>) =>
    from.filter((each) => each.object === table).map((each) => each.line)
  const tables = Array.from(new Set(columns.map((column) => column.object)), (table) => {
    const inside = [...of(table, columns), ...of(table, constraints)].map((line) => `  ${line}`)
    const [option] = of(table, options)
    return [
      `CREATE TABLE ${table} (`,
      inside.join(",\n"),
      option === undefined ? ");" : `) WITH (${option});`,
      ...of(table, indexes),
      ...of(table, triggers)
    ].join("\n")
  })
  return `${[...tables, ...of("", others)].join("\n\n")}\n`
})
