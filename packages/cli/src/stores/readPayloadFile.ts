import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { CommandFailed } from "../CommandError.ts"
import { notRead } from "../files/fileFailure.ts"

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const parse = (bytes: Buffer): unknown =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(isGzip(bytes) ? gunzipSync(bytes) : bytes))

/** Reads a payload from a file, or from standard input with `-`. An array of products is a payload without `fetched_at`. */
export const readPayloadFile = Effect.fnUntraced(function* (path: string) {
  const name = path === "-" ? "Standard input" : path
  const bytes = yield* Effect.tryPromise({
    try: () => (path === "-" ? buffer(process.stdin) : readFile(path)),
    catch: notRead(name)
  })
  const value = yield* Effect.try({
    try: () => parse(bytes),
    catch: () => new CommandFailed({ message: `${name} is not JSON` })
  })
  return Array.isArray(value) ? { products: value } : value
})
