import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Tally } from "@clicks/core/clicks/tiers/ClickArchive"
import { Effect, Stream } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { insertedColumns, storedChecksum, toLine } from "./clickColumns.ts"

// Larger blocks make fewer parts to sync and merge. A click takes some 240 bytes, and up to three blocks are in memory.
const blockSize = 16_000_000

/** Sum and exclusive or of the CRC-32 of each click: neither depends on the order. */
const checksum = (sum: bigint | string, xor: number): string => `${sum}-${xor}`

/** Rows of a block, and their length. */
interface Block {
  readonly rows: Array<string>
  size: number
}

const textOf = ({ rows }: Block): ReadonlyArray<string> => (rows.length === 0 ? [] : [rows.join("")])

/** Inserts the clicks of an attempt in blocks, each of them once. While a block is inserted, the next one is built. */
export const writeClicks = <E>(
  { insert, table }: ClickHouse["Service"],
  attempt: number,
  clicks: Stream.Stream<ClickEvent, E>
): Effect.Effect<Tally, ClickHouseError | E> =>
  Effect.suspend(() => {
    // ClickHouse takes a third longer to read JSON.
    const statement = `insert into ${table} (attempt, ${insertedColumns}) format TabSeparated`
    const start = `${attempt}\t`
    let [count, sum, xor] = [0, 0n, 0]
    const add = (block: Block, some: ReadonlyArray<ClickEvent>) => {
      const full: Array<string> = []
      for (const click of some) {
        const { checksum, line } = toLine(click)
        count++
        sum += BigInt(checksum)
        xor = (xor ^ checksum) >>> 0
        const row = `${start}${line}\n`
        block.rows.push(row)
        block.size += row.length
        if (block.size < blockSize) continue
        full.push(...textOf(block))
        block = { rows: [], size: 0 }
      }
      return [block, full] as const
    }
    return clicks.pipe(
      Stream.mapAccumArray((): Block => ({ rows: [], size: 0 }), add, { onHalt: textOf }),
      Stream.buffer({ capacity: 1 }),
      Stream.runForEach((block) => insert(statement, block)),
      Effect.map(() => ({ count, checksum: checksum(sum, xor) }))
    )
  })

/** The count and the checksum of the stored clicks of an attempt. */
export const checkAttempt = (
  { lines, table }: ClickHouse["Service"],
  attempt: number
): Effect.Effect<Tally, ClickHouseError> =>
  Effect.map(
    lines(
      `select count(), toString(sum(${storedChecksum})), groupBitXor(${storedChecksum}) from ${table} where attempt = ${attempt}`
    ),
    ([line = "[0,0,0]"]) => {
      const [count, sum, xor]: readonly [number, string, number] = JSON.parse(line)
      return { count, checksum: checksum(sum, xor) }
    }
  )
