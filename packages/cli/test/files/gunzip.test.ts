import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { gunzip } from "../../src/files/gunzip.ts"

async function* inPieces(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const unpack = async (packed: Buffer, size: number) => {
  const parts: Array<Uint8Array> = []
  const damages: Array<string> = []
  for await (const part of gunzip(inPieces(packed, size), (message) => damages.push(message)))
    parts.push(part)
  return { bytes: Buffer.concat(parts), damages }
}

const original = Buffer.from(randomBytes(300_000).toString("hex"))
const packed = gzipSync(original)

describe("gunzip", () => {
  it("unpacks files of one member or several", async () => {
    const { bytes, damages } = await unpack(packed, 100_000)
    assert.isTrue(bytes.equals(original))
    assert.deepStrictEqual(damages, [])
    const twice = await unpack(Buffer.concat([packed, packed]), 5000)
    assert.strictEqual(twice.bytes.length, 2 * original.length)
    assert.deepStrictEqual(twice.damages, [])
  })

  it("skips zeros after the data and reports other bytes there", async () => {
    const zeros = Buffer.alloc(50_000)
    for (const size of [7_777, packed.length, 1_000_000]) {
      const padded = await unpack(Buffer.concat([packed, packed, zeros]), size)
      assert.strictEqual(padded.bytes.length, 2 * original.length)
      assert.deepStrictEqual(padded.damages, [])
      for (const garbage of [Buffer.from("garbage"), Buffer.concat([zeros, packed])]) {
        const more = await unpack(Buffer.concat([packed, garbage]), size)
        assert.isTrue(original.subarray(0, more.bytes.length).equals(more.bytes))
        assert.strictEqual(more.damages.length, 1)
      }
    }
  })

  it("yields everything before the data is cut off, and reports the damage", async () => {
    const half = await unpack(packed.subarray(0, packed.length / 2), 10_000)
    assert.isTrue(original.subarray(0, half.bytes.length).equals(half.bytes))
    assert.isAbove(half.bytes.length, 290_000)
    assert.match(half.damages.join(), /damaged or cut off/)
    const almost = await unpack(packed.subarray(0, -1), 10_000)
    assert.strictEqual(almost.bytes.length, original.length)
    assert.strictEqual(almost.damages.length, 1)
  })

  it("yields everything before damaged data, and reports the damage", async () => {
    const damaged = Buffer.from(packed)
    const middle = packed.length >> 1
    damaged.fill(0xff, middle, middle + 100)
    const { bytes, damages } = await unpack(damaged, 10_000)
    assert.isAbove(bytes.length, 250_000)
    assert.strictEqual(damages.length, 1)
  })
})
