import { stat } from "node:fs/promises"
import { Effect } from "effect"
import { UsedWrongly } from "./CommandError.ts"

/** Fails where a file already has something in it, unless it may be replaced. A device or a pipe is written to as it is. */
export const refuseOccupied = Effect.fnUntraced(function* (path: string, force: boolean) {
  const found = yield* Effect.promise(() => stat(path).catch(() => undefined))
  if (force || found?.isFile() !== true || found.size === 0) return
  return yield* new UsedWrongly({ message: `${path} already exists. Use --force to overwrite it` })
})
