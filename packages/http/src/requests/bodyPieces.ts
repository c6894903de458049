import { Buffer } from "node:buffer"

/**
 * Puts the pieces of a body together. The only piece of most bodies is not copied. Several are copied as they come: kept apart, a
 * byte that is sent alone would take a hundred. `expected` is the announced length; 0 if there is none.
 */
export const bodyPieces = (limit: number, expected: number) => {
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    /** Whether the body is still within the limit. */
    add: (piece: Buffer): boolean => {
      const end = length + piece.length
      if (end > limit) return false
      if (length === 0) bytes = piece
      else {
        if (end > bytes.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(end, expected, 2 * bytes.length)))
          bytes.copy(larger, 0, 0, length)
          bytes = larger
        }
        piece.copy(bytes, length)
      }
      length = end
      return true
    },
    whole: (): Buffer => bytes.subarray(0, length)
  }
}
