import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { Effect } from "effect"
import { notRead } from "./fileFailure.ts"
import { gunzip, isGzip } from "./gunzip.ts"

/** An open input: decompressed, without byte order mark. */
export interface InputFile {
  /** Its name in messages. */
  readonly name: string
  /** Size of the file on disk in bytes; undefined for standard input. */
  readonly size: number | undefined
  /** Bytes read so far, before decompression. */
  readonly position: () => number
  /** The first bytes, for detecting the format. `chunks` yields them again. */
  readonly sample: Buffer
  /** All bytes. If the input is damaged, ends there, and `damage` returns the reason. */
  readonly chunks: AsyncIterable<Buffer>
  readonly damage: () => string | undefined
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined
  )

/** Reads until `isEnough` or the end of the input. */
const readUntil = async (
  chunks: AsyncIterator<Buffer>,
  isEnough: (bytes: Buffer) => boolean
): Promise<Buffer> => {
  let bytes = Buffer.alloc(0)
  while (!isEnough(bytes)) {
    const next = await chunks.next()
    if (next.done) break
    bytes = Buffer.concat([bytes, next.value])
  }
  return bytes
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes

/** Opens a file, or standard input for `-`, and reads until `isEnough` for the sample. Fails if it cannot be read. */
export const openInput = Effect.fn("openInput")(function* (
  path: string,
  isEnough: (sample: Buffer) => boolean
) {
  const isStandardInput = path === "-"
  const name = isStandardInput ? "Standard input" : path
  const size = isStandardInput ? undefined : yield* Effect.promise(() => sizeOf(path))
  const source = isStandardInput ? process.stdin : createReadStream(path, { highWaterMark: 32 * 1024 })
  yield* Effect.addFinalizer(() => Effect.sync(() => source.destroy()))
  let position = 0
  let damage: string | undefined
  let unreadable: unknown

  const onDamage = (message: string) => {
    damage ??= message
  }
  async function* read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source) {
        position += chunk.length
        yield chunk
      }
    } catch (error) {
      unreadable = error
      onDamage(`reading failed (${error instanceof Error ? error.message : error})`)
    }
  }

  const raw = read()
  const start = yield* Effect.promise(() => readUntil(raw, ({ length }) => length >= 2))
  if (position === 0 && damage !== undefined) return yield* notRead(name)(unreadable)
  const packed = startingWith(start, raw)
  const unpacked = isGzip(start) ? gunzip(packed, onDamage) : packed
  const beginning = yield* Effect.promise(() => readUntil(unpacked, isEnough))
  const sample = withoutByteOrderMark(beginning)
  return {
    name,
    size,
    position: () => position,
    sample,
    chunks: startingWith(sample, unpacked),
    damage: () => damage
  } satisfies InputFile
})
