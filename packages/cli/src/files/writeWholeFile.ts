import { createWriteStream } from "node:fs"
import { chmod, lstat, open, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Effect, Stream } from "effect"
import { UsageError } from "../CommandError.ts"
import { notWritten } from "./fileFailure.ts"

const attempt = <A>(path: string, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: notWritten(path) })

/** The path to write to, with symbolic links resolved. Fails if something other than a file is there. */
const destination = Effect.fnUntraced(function* (path: string) {
  const name = yield* Effect.promise(() => realpath(path).catch(() => path))
  const found = yield* Effect.promise(() => lstat(name).catch(() => undefined))
  if (found === undefined || found.isFile()) return name
  return yield* new UsageError({ message: `${path} exists and is not a file` })
})

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

const ownerOnly = 0o600

/**
 * Writes a file that appears under its name once it is complete and on disk. Until then it is a hidden file in the same folder,
 * deleted if writing fails. Compressed with gzip if the name ends with `.gz`. A new file has mode 0600, a replaced one keeps its
 * mode.
 */
export const writeWholeFile = Effect.fn("writeWholeFile")(function* <E, R>(
  path: string,
  texts: Stream.Stream<string, E, R>
) {
  const name = yield* destination(path)
  const mode = yield* Effect.promise(() =>
    stat(name).then(
      (replaced) => replaced.mode & 0o777,
      () => ownerOnly
    )
  )
  const part = join(dirname(name), `.${basename(name)}.${process.pid}.part`)
  let failure: { readonly error: E } | undefined
  const noting = Stream.tapError(texts, (error) =>
    Effect.sync(() => {
      failure = { error }
    })
  )
  const readable = Readable.from(yield* Stream.toAsyncIterableEffect(noting))
  const packer = name.endsWith(".gz") ? [createGzip()] : []
  const write = attempt(path, (signal) =>
    pipeline([readable, ...packer, createWriteStream(part, { flags: "wx", flush: true, mode: ownerOnly })], {
      signal
    })
  ).pipe(Effect.mapError((error) => failure?.error ?? error))
  yield* write.pipe(Effect.onError(() => Effect.promise(() => rm(part, { force: true }))))
  yield* attempt(path, async () => {
    await chmod(part, mode)
    await rename(part, name)
    await syncFolder(dirname(name))
  })
})

/** Fails if the file exists and is not empty, unless `force`. Devices and pipes may always be written to. */
export const refuseOccupied = Effect.fnUntraced(function* (path: string, force = false) {
  const found = yield* Effect.promise(() => stat(path).catch(() => undefined))
  if (force || found?.isFile() !== true || found.size === 0) return
  return yield* new UsageError({ message: `${path} already exists. Use --force to overwrite it` })
})
