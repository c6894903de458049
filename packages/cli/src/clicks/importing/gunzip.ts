import { createGunzip } from "node:zlib"

// One slice of input becomes at most 16 MiB: deflate packs no better than 1,032 to 1.
const sliceBytes = 16 * 1024

/** Whether the bytes begin a gzip file (RFC 1952, section 2.3.1). */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/**
 * Unpacks gzip. Zeros behind the data are passed over: tapes and disks pad with them. When the data is damaged or cut off,
 * everything before that place comes out first and `onDamage` is told;
 * a plain pipe through zlib loses what it has unpacked but not yet handed on.
 */
export async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  onDamage: (message: string) => void
): AsyncGenerator<Uint8Array> {
  const inflate = createGunzip({ chunkSize: 64 * 1024 })
  let unpacked: Array<Uint8Array> = []
  let failure: Error | undefined
  let hasEnded = false
  let goOn = () => {}
  inflate.on("data", (bytes: Buffer) => unpacked.push(bytes))
  // After an error nobody answers a write any more.
  inflate.on("error", (error) => {
    failure = error
    goOn()
  })
  // Zlib ends at a zero behind the data, and the write that holds it is never answered either.
  inflate.on("end", () => {
    hasEnded = true
    goOn()
  })
  const waitFor = (begin: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      goOn = resolve
      begin(resolve)
    })
  const drain = () => {
    const drained = unpacked
    unpacked = []
    return drained
  }
  let seen = 0
  try {
    for await (const chunk of packed) {
      const before = seen
      seen += chunk.length
      for (let start = 0; start < chunk.length && failure === undefined && !hasEnded; start += sliceBytes) {
        await waitFor((done) => inflate.write(chunk.subarray(start, start + sliceBytes), done))
        yield* drain()
      }
      if (hasEnded && !isZero(chunk.subarray(Math.max(0, inflate.bytesWritten - before)))) {
        failure = new Error("there is data after its trailing zeros")
      }
      if (failure !== undefined) break
    }
    if (failure === undefined && !hasEnded) await waitFor(() => inflate.end())
    yield* drain()
    if (failure !== undefined) onDamage(`its gzip data is damaged or cut off (${failure.message})`)
  } finally {
    inflate.destroy()
  }
}
