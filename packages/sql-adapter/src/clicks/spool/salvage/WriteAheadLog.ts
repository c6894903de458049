import { pageSize } from "../SpoolSpace.ts"

/**
 * Reads SQLite's write-ahead log (sqlite.org/fileformat2.html, "The Write-Ahead Log"). SQLite itself takes the log to end at
 * the first frame that is not whole, which is right after a power cut and silent about damage.
 */

const headerSize = 32
const frameHeaderSize = 24
const frameSize = frameHeaderSize + pageSize

type Checksum = readonly [number, number]

const add = (
  bytes: DataView,
  from: number,
  to: number,
  littleEndian: boolean,
  [a, b]: Checksum
): Checksum => {
  let s0 = a
  let s1 = b
  for (let offset = from; offset < to; offset += 8) {
    s0 = (s0 + bytes.getUint32(offset, littleEndian) + s1) >>> 0
    s1 = (s1 + bytes.getUint32(offset + 4, littleEndian) + s0) >>> 0
  }
  return [s0, s1]
}

const agrees = (bytes: DataView, offset: number, [a, b]: Checksum): boolean =>
  bytes.getUint32(offset) === a && bytes.getUint32(offset + 4) === b

interface LoggedPage {
  /** The page's number, from 1. */
  readonly page: number
  /** Where it begins in the log. */
  readonly offset: number
}

interface Frame extends LoggedPage {
  readonly isCommit: boolean
  /** Tells the frames of this log from those left of the one before it in the same file. */
  readonly salt: string
}

const framesOf = (bytes: DataView): ReadonlyArray<Frame> => {
  const frames: Array<Frame> = []
  for (let at = headerSize; at + frameSize <= bytes.byteLength; at += frameSize) {
    frames.push({
      page: bytes.getUint32(at),
      isCommit: bytes.getUint32(at + 4) !== 0,
      salt: saltAt(bytes, at + 8),
      offset: at + frameHeaderSize
    })
  }
  return frames
}

const saltAt = (bytes: DataView, at: number): string => `${bytes.getUint32(at)} ${bytes.getUint32(at + 4)}`

const isMagic = (bytes: DataView): boolean => (bytes.getUint32(0) & ~1) === 0x377f0682

/** The salt of the log that the header begins; undefined when the header is not whole. */
const headerSalt = (bytes: DataView, sum: Checksum): string | undefined =>
  isMagic(bytes) && agrees(bytes, 24, sum) ? saltAt(bytes, 16) : undefined

// A log that begins anew begins at the front of its file, and leaves what it held before behind. Of the header and the first frame
// one may be what is damaged.
const saltAtFront = (bytes: DataView, [first, second]: ReadonlyArray<Frame>): string | undefined =>
  second !== undefined && second.salt === saltAt(bytes, 16) ? second.salt : first?.salt

/** How many frames, from the first, are whole. */
const wholeFrames = (
  bytes: DataView,
  frames: ReadonlyArray<Frame>,
  salt: string,
  littleEndian: boolean,
  header: Checksum
): number => {
  let sum = header
  for (const [index, frame] of frames.entries()) {
    const at = frame.offset - frameHeaderSize
    sum = add(bytes, at, at + 8, littleEndian, sum)
    sum = add(bytes, frame.offset, frame.offset + pageSize, littleEndian, sum)
    if (frame.salt !== salt || !agrees(bytes, at + 16, sum)) return index
  }
  return frames.length
}

export interface WriteAheadLog {
  readonly bytes: Uint8Array
  /** By page number, where its newest committed form begins. */
  readonly pages: ReadonlyMap<number, number>
  /** The pages that come after the part that is whole, the newest last. */
  readonly beyond: ReadonlyArray<LoggedPage>
  /** Whether committed clicks lie beyond the part that is whole. */
  readonly isDamaged: boolean
}

export const read = (bytes: Uint8Array): WriteAheadLog => {
  if (bytes.byteLength < headerSize + frameSize) {
    return { bytes, pages: new Map(), beyond: [], isDamaged: false }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frames = framesOf(view)
  const littleEndian = view.getUint32(0) === 0x377f0682
  const header = add(view, 0, 24, littleEndian, [0, 0])
  const known = headerSalt(view, header)
  const whole = known === undefined ? 0 : wholeFrames(view, frames, known, littleEndian, header)
  const committed = frames.slice(0, whole).findLastIndex((frame) => frame.isCommit) + 1
  const written = frames.slice(committed).filter((frame) => frame.page > 0)
  const salt = known ?? saltAtFront(view, written)
  const beyond = written.filter((frame) => frame.salt === salt)
  return {
    bytes,
    pages: new Map(frames.slice(0, committed).map((frame) => [frame.page, frame.offset])),
    beyond,
    // A power cut tears at most the last commit: the one before it was synced before this one began.
    isDamaged: beyond.filter((frame) => frame.isCommit).length > 1
  }
}
