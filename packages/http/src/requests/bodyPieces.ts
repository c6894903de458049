import { Buffer } from "node:buffer"

/**
 * Joins the pieces of a body. Most bodies have only one piece, which is not copied. Several pieces are copied as they arrive: kept
 * separately, a piece of one byte would take a hundred. `expected` is the announced length, or 0.
 */
export const bodyPieces = (limit: number, expected: number) => {
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    /** Adds a piece. Returns whether the body is still within the limit. */
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
