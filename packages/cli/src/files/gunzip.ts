import { createGunzip } from "node:zlib"

// A slice expands to at most 16 MiB: deflate compresses by at most 1,032 to 1.
const sliceBytes = 16 * 1024

/** Whether the bytes begin a gzip file (RFC 1952, section 2.3.1). */
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Decompresses gzip. If the data is damaged or cut off, yields everything before that place and calls `onDamage`; reading from
 * zlib's stream would lose what it had decompressed but not yet delivered. Zeros after the data are skipped, because tapes and
 * disks pad with them; zlib would ignore everything after a zero.
 */
export async function* gunzip(
  packed: AsyncIterable<Buffer>,
  onDamage: (message: string) => void
): AsyncGenerator<Buffer> {
  const inflate = createGunzip({ chunkSize: 64 * 1024 })
  const unpacked: Array<Buffer> = []
  let failure: Error | undefined
  let hasEnded = false
  // After an error or the end, zlib never calls the callback of a write.
  let release = () => {}
  inflate.on("data", (bytes: Buffer) => unpacked.push(bytes))
  inflate.on("error", (error) => {
    failure = error
    release()
  })
  inflate.on("end", () => {
    hasEnded = true
    release()
  })
  const run = async (begin: (done: () => void) => void): Promise<ReadonlyArray<Buffer>> => {
    await new Promise<void>((resolve) => {
      release = resolve
      begin(resolve)
    })
    return unpacked.splice(0)
  }
  let seen = 0
  try {
    for await (const chunk of packed) {
      for (let start = 0; start < chunk.length && failure === undefined && !hasEnded; start += sliceBytes)
        yield* await run((done) => inflate.write(chunk.subarray(start, start + sliceBytes), done))
      const excess = chunk.subarray(Math.max(0, inflate.bytesWritten - seen))
      if (hasEnded && excess.some((byte) => byte !== 0))
        failure = new Error("there is data after its trailing zeros")
      if (failure !== undefined) break
      seen += chunk.length
    }
    if (failure === undefined && !hasEnded) yield* await run(() => inflate.end())
    yield* unpacked
    if (failure !== undefined) onDamage(`its gzip data is damaged or cut off (${failure.message})`)
  } finally {
    inflate.destroy()
  }
}
