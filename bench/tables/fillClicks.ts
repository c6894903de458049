import { query } from "../processes/PostgresServer.ts"
import { clickColumns } from "./clickColumns.ts"

const skewed = (prefix: string, count: number, power: number) =>
  `'${prefix}-' || floor(${count} * power(random(), ${power}))`

/** A frequent value of each field (a tenth to two thirds of the clicks) and a rare one (125 of ten million to 0.5 %). */
export const samples = {
  product_id: ["p-0", "p-19999"],
  store_id: ["s-0", "s-499"],
  brand_id: ["b-0", "b-199"],
  campaign_id: ["c-0", "c-99"],
  action: ["view", "other"],
  source: ["web", "kiosk"]
} as const

/** The first day of the two years of clicks. */
export const firstDay = "2024-11-01"

// The newest clicks share one source: a page of another frequent source must not read past all of them.
const source = `case when n > 0.963 * total then 'app'
  else (array['web', 'app', 'email', 'kiosk'])[1 + width_bucket(random(), array[0.7, 0.95, 0.9999])] end`

// Growing traffic with weekends and nights; a fortieth of the clicks falls on four days of sale.
const day = `case when n % 40 = 0 then 200 + 150 * (n / 40 % 4) + random()
  else (select daily - 0.1 * sin(2 * pi() * daily) from (select weekly - 0.7 * sin(2 * pi() * weekly / 7) as daily
    from (select 730 * power(n::float8 / total, 0.8) as weekly) as w) as d) end`

const insert = (first: number, last: number, total: number): string => `
  insert into clicks (${clickColumns})
  select uuidv7(at - clock_timestamp()), product, action, source, store, brand, campaign, 'Green Leaf', 'category', '/products/' || product,
    'Phoenix', 'AZ', 33.45, -112.07, null, null, null, '10.' || (visitor >> 16) || '.' || (visitor >> 8) % 256 || '.' || visitor % 256, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    case when n % 3 = 0 then 'mobile' else 'desktop' end, at, at + interval '20 milliseconds', null::timestamptz
  from (
    select n, date_trunc('milliseconds', timestamptz '${firstDay} 00:00Z' + ${day} * interval '1 day') as at,
      ${skewed("p", 20_000, 4)} as product, ${skewed("s", 500, 3)} as store, ${skewed("b", 200, 3)} as brand,
      case when random() < 0.7 then ${skewed("c", 100, 3)} end as campaign,
      (array['view', 'open_product', 'compare', 'open_store', 'other'])[1 + width_bucket(random(), array[0.6, 0.8, 0.9, 0.995])] as action,
      ${source} as source, floor(0.2 * total * power(random(), 2))::integer as visitor
    from generate_series(${first}::bigint, ${last}) as n, (select ${total}::bigint as total) as t
  ) as generated`

// The number of rows that one counting step counts.
const batch = 50_000

interface Index {
  readonly name: string
  readonly definition: string
}

/**
 * Fills the empty table `clicks` in order of time. Indexes other than unique ones are created afterwards, so that ten million
 * rows take only minutes.
 */
export const fillClicks = async (url: string, rows: number): Promise<void> => {
  const indexes = await query<Index>(
    url,
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'clicks'::regclass and not indisunique`
  )
  for (const { name } of indexes) await query(url, `drop index ${name}`)
  for (let first = 1; first <= rows; first += batch) {
    await query(url, insert(first, Math.min(first + batch - 1, rows), rows))
  }
  for (const { definition } of indexes) {
    await query(url, `set maintenance_work_mem = '512MB'; ${definition}`)
  }
}
