/** The fields of clicks that chunks hold, each as a column of ids of texts (`click_texts`), 0 for none. */
export const chunkFields = [
  "product_id",
  "store_id",
  "brand_id",
  "campaign_id",
  "source",
  "page_type",
  "device_type",
  "visitor_state",
  "visitor_city"
] as const
export type ChunkField = (typeof chunkFields)[number]

/** The columns of a chunk. "at" is the milliseconds from the middle of the bin, "action" a byte, all others are 4 bytes per click. */
export const chunkColumns = ["at", "action", "visitor", ...chunkFields] as const
export type ChunkColumn = (typeof chunkColumns)[number]

/** The most clicks of a chunk. */
export const mostClicks = 65_536

/** Added to the number of an action when the click identifies no visitor. */
export const unidentified = 8

/** Half of the range of an integer: a bin of 1,024 hours has 3.7 billion milliseconds. */
export const half = 2 ** 31

/**
 * SQL for the visitor of a click (`visitorOf` in core) as a number, null if there is none. The probability that two of ten million visitors
 * share a number is 3 in a million. Control characters separate the parts: no header or address contains one.
 */
export const visitorNumber = `case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when num_nonnulls(ip_address, user_agent) > 0 then hashtextextended(
        coalesce(ip_address, E'\\x02') || E'\\x01' || coalesce(user_agent, E'\\x02'), 0) end`

/** SQL for a bin as its middle in milliseconds since 1970. */
export const middleOf = (bin: string): string => `((date_part('epoch', ${bin}) * 1000)::bigint + ${half})`

/** SQL that packs the values of rows into a column of a chunk. */
export const packed = (column: ChunkColumn, value: string): string =>
  column === "action"
    ? `string_agg(set_byte('\\x00'::bytea, 0, ${value}), ''::bytea)`
    : `string_agg(int4send(${value}), ''::bytea)`

/** SQL for the value at a position of a column of the chunk `from`. */
export const unpacked = (from: string, column: ChunkColumn, position: string): string =>
  column === "action"
    ? `get_byte(${from}.${column}, ${position})`
    : `(${[0, 1, 2, 3].map((byte) => `(get_byte(${from}.${column}, ${position} * 4 + ${byte}) << ${24 - 8 * byte})`).join(" | ")})`

/** A column from the bytes that PostgreSQL sends: 4 per click, the highest first, or 1. */
export const readColumn = (bytes: Uint8Array, n: number): Int32Array | Uint8Array => {
  if (bytes.length === n) return bytes
  const own = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
  Buffer.from(own.buffer).swap32()
  return new Int32Array(own.buffer)
}
