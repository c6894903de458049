/** Bytes gathered in parts, of which no more than `limit` are kept. */
export interface BoundedBytes {
  readonly keep: (part: Uint8Array) => void
  readonly isEmpty: () => boolean
  /** What was kept, and whether it is all; begins anew. */
  readonly take: () => { readonly bytes: Uint8Array; readonly isCutOff: boolean }
}

export const boundedBytes = (limit: number): BoundedBytes => {
  let parts: Array<Uint8Array> = []
  let size = 0

  return {
    keep: (part) => {
      if (part.length > 0 && size < limit) parts.push(part.subarray(0, limit - size))
      size += part.length
    },
    isEmpty: () => size === 0,
    take: () => {
      const [first] = parts
      const taken = {
        bytes: parts.length === 1 && first !== undefined ? first : Buffer.concat(parts),
        isCutOff: size > limit
      }
      parts = []
      size = 0
      return taken
    }
  }
}
