import { Effect } from "effect"
import { ClickHouse } from "../../packages/clickhouse-adapter/src/ClickHouse.ts"
import { firstDay } from "./fillClicks.ts"

const skewed = (prefix: string, count: number, power: number, seed: number) =>
  `concat('${prefix}-', toString(toUInt32(floor(${count} * pow(randCanonical(${seed}), ${power})))))`

// The same distributions as in `fillClicks`.
const source = (total: number) =>
  `multiIf(n > 0.963 * ${total}, 'app', sources < 0.7, 'web', sources < 0.95, 'app', sources < 0.9999, 'email', 'kiosk')`
const action =
  "multiIf(actions < 0.6, 'view', actions < 0.8, 'open_product', actions < 0.9, 'compare', actions < 0.995, 'open_store', 'other')"

const id = `concat(
  reinterpretAsFixedString(byteSwap(bitOr(bitShiftLeft(toUInt64(at), 16), 0x7000 + rand(11) % 4096))),
  reinterpretAsFixedString(byteSwap(bitOr(bitShiftRight(rand64(12), 2), 0x8000000000000000))))`

const insert = (table: string, first: number, count: number, total: number): string => `
  insert into ${table} (occurred_at, id, attempt, received_at, action, source, product_id, store_id, brand_id, campaign_id,
    dispensary_name, page_type, url_path, visitor_city, visitor_state, visitor_lat, visitor_lng, ip_address, user_agent, device_type)
  with number + ${first} as n, 730 * pow(n / ${total}, 0.8) as weekly, weekly - 0.7 * sin(2 * pi() * weekly / 7) as daily,
    if(n % 40 = 0, 200 + 150 * (intDiv(n, 40) % 4) + randCanonical(1), daily - 0.1 * sin(2 * pi() * daily)) as day,
    toInt64(${Date.parse(firstDay)} + day * 86400000) as at,
    randCanonical(7) as actions, randCanonical(8) as sources, ${skewed("p", 20_000, 4, 2)} as product
  select at, ${id}, intDiv(n, 500000) + 1, at + 20, ${action}, ${source(total)}, product, ${skewed("s", 500, 3, 3)},
    ${skewed("b", 200, 3, 4)}, if(randCanonical(5) < 0.7, ${skewed("c", 100, 3, 6)}, null), 'Green Leaf', 'category',
    concat('/products/', product), 'Phoenix', 'AZ', 33.45, -112.07, concat('203.0.113.', toString(n % 250)),
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', if(n % 3 = 0, 'mobile', 'desktop')
  from numbers(${count})`

const batch = 5_000_000

/** Fills the table unless it has these rows already. All attempts are read. */
export const fillArchive = Effect.fnUntraced(function* (rows: number) {
  const { command, lines, table } = yield* ClickHouse
  const [line = "[0]"] = yield* lines(`select count() from ${table}`)
  if (JSON.parse(line)[0] === rows) return
  yield* command(`truncate table ${table}`)
  for (let first = 1; first <= rows; first += batch) {
    yield* command(insert(table, first, Math.min(batch, rows - first + 1), rows), {
      max_partitions_per_insert_block: "0",
      max_insert_block_size: String(batch)
    })
  }
})
