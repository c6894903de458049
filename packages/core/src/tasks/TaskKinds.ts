import { Context, Layer, type Result, type Schema } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { storeCrawl, storeDiscovery } from "./storeTasks.ts"
import { normalize, type TaskKind } from "./TaskKind.ts"

/** The kinds of tasks that this process accepts, by name. */
export class TaskKinds extends Context.Service<TaskKinds, ReadonlyMap<string, TaskKind>>()(
  "@clicks/core/tasks/TaskKinds"
) {}

/** The kinds of the service itself. */
export const builtIn: ReadonlyArray<TaskKind> = [storeDiscovery, storeCrawl]

/** The built-in kinds and those of an embedder. If a name is repeated, the last kind counts. */
export const layerWith = (kinds: ReadonlyArray<TaskKind>): Layer.Layer<TaskKinds> =>
  Layer.succeed(TaskKinds, new Map([...builtIn, ...kinds].map((kind) => [kind.name, kind])))

/** The built-in kinds. */
export const layer: Layer.Layer<TaskKinds> = layerWith([])

/** Converts a payload to its stored form. Fails if the kind is unknown or the payload does not match it. */
export const check = (
  kinds: ReadonlyMap<string, TaskKind>,
  name: string,
  payload: unknown
): Result.Result<Schema.Json, InvalidInput> => {
  const kind = kinds.get(name)
  return kind === undefined
    ? invalid(`Unknown kind "${name}". Known kinds: ${Array.from(kinds.keys()).join(", ")}`)
    : normalize(kind, payload)
}
