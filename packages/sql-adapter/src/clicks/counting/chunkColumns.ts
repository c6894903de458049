/** The fields that chunks contain. Each is a column of text ids (`click_texts`), 0 for null. */
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

/**
 * The columns of a chunk. "at" contains milliseconds from the middle of the bin; "action" one byte per click; "session" a hash of 8 bytes
 * for each click with a session, and nothing for others; all other columns 4 bytes per click.
 */
export const chunkColumns = ["at", "action", "visitor", "session", ...chunkFields] as const
export type ChunkColumn = (typeof chunkColumns)[number]

/** The maximum number of clicks of a chunk. */
export const mostClicks = 65_536

/** Added to the number of an action if the click identifies no visitor. */
export const unidentified = 8

/** Added to the number of an action if the click has a session. */
export const inSession = 16

/** Half of the range of an integer: a bin of 1,024 hours has 3.7 billion milliseconds. */
export const half = 2 ** 31

/**
 * SQL for the visitor of a click (`visitorOf` in core) as a number; null if there is none. With ten million visitors, two share a number
 * with a probability of 3 in a million. Control characters, which no header or address contains, separate the parts.
 */
export const visitorNumber = `case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when num_nonnulls(ip_address, user_agent) > 0 then hashtextextended(
        coalesce(ip_address, E'\\x02') || E'\\x01' || coalesce(user_agent, E'\\x02'), 0) end`

/** SQL for the session of a click as a number; null if there is none. */
export const sessionNumber = "hashtextextended(session_id, 3)"

/** SQL for the flags added to the number of an action, from the numbers of visitor and session. */
export const marks = (visitor: string, session: string): string =>
  `case when ${visitor} is null then ${unidentified} else 0 end + case when ${session} is null then 0 else ${inSession} end`

/** SQL for an instant in milliseconds since 1970. Without the integer, it would be off by a fraction in some years. */
export const millisOf = (at: string): string => `(date_part('epoch', ${at}) * 1000)::bigint`

/** SQL for the middle of a bin in milliseconds since 1970. */
export const middleOf = (bin: string): string => `(${millisOf(bin)} + ${half})`

/** SQL for the type of a column's values. */
export const typeOf = (column: ChunkColumn): string => (column === "session" ? "bigint" : "integer")

/** SQL that packs the values of rows into a column of a chunk. The rows must have the column "action" in its encoding for chunks. */
export const packed = (column: ChunkColumn, value: string): string => {
  if (column === "action") return `string_agg(set_byte('\\x00'::bytea, 0, ${value}), ''::bytea)`
  return column === "session"
    ? `coalesce(string_agg(case when action >= ${inSession} then int8send(${value}) end, ''::bytea), ''::bytea)`
    : `string_agg(int4send(${value}), ''::bytea)`
}

/** SQL for the value at a position of a column of the chunk `from`. `session` is the position among the clicks with a session. */
export const unpacked = (from: string, column: ChunkColumn, position: string, session: string): string => {
  if (column === "action") return `get_byte(${from}.${column}, ${position})`
  if (column !== "session")
    return `(${[0, 1, 2, 3].map((byte) => `(get_byte(${from}.${column}, ${position} * 4 + ${byte}) << ${24 - 8 * byte})`).join(" | ")})`
  const bytes = `substring(${from}.session from ${session} * 8 + 1 for 8)`
  return `case when get_byte(${from}.action, ${position}) >= ${inSession} then ('x' || encode(${bytes}, 'hex'))::bit(64)::bigint else 0 end`
}

const buffers = new Map<string, ArrayBuffer>()

/**
 * Reads a column from the bytes that PostgreSQL sends. Integers are big-endian; a session consists of two integers. The result is valid
 * until the next column of the same name is read, which reuses its memory: collecting the garbage of thousands of columns would take a
 * second.
 */
export const readColumn = (name: string, bytes: Uint8Array): Int32Array | Uint8Array => {
  if (name === "action") return bytes
  const known = buffers.get(name)
  const buffer = known && known.byteLength >= bytes.length ? known : new ArrayBuffer(bytes.length)
  buffers.set(name, buffer)
  const own = Buffer.from(buffer, 0, bytes.length)
  own.set(bytes)
  own.swap32()
  return new Int32Array(buffer, 0, bytes.length / Int32Array.BYTES_PER_ELEMENT)
}
