import { boundedBytes } from "./BoundedBytes.ts"
import { maxRowBytes } from "./InputRow.ts"

/** A line without its line feed. One that is longer than `maxRowBytes` comes cut off there. */
export interface Line {
  readonly line: number
  readonly bytes: Uint8Array
  readonly isCutOff: boolean
}

export interface LineSplitter {
  readonly push: (bytes: Uint8Array) => ReadonlyArray<Line>
  /** The last line, when the input does not end with a line feed. */
  readonly end: () => ReadonlyArray<Line>
}

const lineFeed = 0x0a

/** Cuts bytes at line feeds, holding at most `maxRowBytes` of a line that is not complete. */
export const lineSplitter = (): LineSplitter => {
  const held = boundedBytes(maxRowBytes)
  let number = 1
  const take = (): Line => ({ line: number++, ...held.take() })

  return {
    push: (bytes) => {
      const lines: Array<Line> = []
      let start = 0
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        if (held.isEmpty() && end - start <= maxRowBytes) {
          lines.push({ line: number++, bytes: bytes.subarray(start, end), isCutOff: false })
        } else {
          held.keep(bytes.subarray(start, end))
          lines.push(take())
        }
        start = end + 1
      }
      held.keep(bytes.subarray(start))
      return lines
    },
    end: () => (held.isEmpty() ? [] : [take()])
  }
}
