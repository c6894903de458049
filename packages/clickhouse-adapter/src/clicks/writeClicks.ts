import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Tally } from "@clicks/core/clicks/tiers/ClickArchive"
import { Effect, Stream } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { checksumOf, insertedColumns, storedChecksum, toValues } from "./clickColumns.ts"

// Larger blocks make fewer parts to merge; a click takes some 350 bytes.
const blockSize = 16_000_000

/** Sum and exclusive or of the CRC-32 of each click: neither depends on the order. */
const checksum = (sum: bigint | string, xor: number): string => `${sum}-${xor}`

/** Inserts clicks under an attempt, in blocks, each of them once. */
export const writeClicks = <E>(
  { insert, table }: ClickHouse["Service"],
  attempt: number,
  clicks: Stream.Stream<ClickEvent, E>
): Effect.Effect<Tally, ClickHouseError | E> =>
  Effect.suspend(() => {
    const statement = `insert into ${table} (attempt, ${insertedColumns}) format JSONCompactEachRow`
    let [count, sum, xor, size] = [0, 0n, 0, 0]
    let block: Array<string> = []
    const flush = Effect.suspend(() => {
      const text = block.join("\n")
      block = []
      size = 0
      return text === "" ? Effect.void : insert(statement, text)
    })
    const add = (click: ClickEvent): void => {
      const values = toValues(click)
      const crc = checksumOf(values)
      const line = JSON.stringify([attempt, ...values])
      block.push(line)
      size += line.length
      count++
      sum += BigInt(crc)
      xor = (xor ^ crc) >>> 0
    }
    return Stream.runForEachArray(clicks, (some) =>
      Effect.forEach(
        pieces(some),
        (piece) => {
          for (const click of piece) add(click)
          return size < blockSize ? Effect.void : flush
        },
        { discard: true }
      )
    ).pipe(
      Effect.andThen(flush),
      Effect.map(() => ({ count, checksum: checksum(sum, xor) }))
    )
  })

// As many clicks as cannot fill a block far beyond its size: 100 of 64 KiB each are 6.4 MB.
const pieceLength = 100

const pieces = (clicks: ReadonlyArray<ClickEvent>): ReadonlyArray<ReadonlyArray<ClickEvent>> =>
  Array.from({ length: Math.ceil(clicks.length / pieceLength) }, (_, index) =>
    clicks.slice(index * pieceLength, (index + 1) * pieceLength)
  )

/** What is stored under an attempt. */
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
