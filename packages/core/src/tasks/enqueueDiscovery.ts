import { Effect, Schema } from "effect"
import { UsState, usStates } from "../stores/UsState.ts"
import { InvalidInput } from "../values/InvalidInput.ts"
import { DelaySeconds, enqueueStaggered } from "./enqueueStaggered.ts"
import { storeDiscovery } from "./storeTasks.ts"
import { TaskPriority } from "./Task.ts"

/** The states whose stores to discover, with one task for each. */
export const StoreDiscovery = Schema.Struct({
  states: Schema.Array(UsState).check(
    Schema.isBetweenLength(1, usStates.length, { message: `must have 1 to ${usStates.length} states` })
  ),
  stagger_seconds: Schema.optionalKey(
    DelaySeconds.annotate({ description: "Seconds between states; default 0", examples: [5] })
  ),
  priority: Schema.optionalKey(TaskPriority)
}).annotate({ identifier: "StoreDiscovery", examples: [{ states: ["AZ", "CA"], stagger_seconds: 5 }] })
export interface StoreDiscovery extends Schema.Schema.Type<typeof StoreDiscovery> {}

/** Creates a batch with a `store-discovery` task for each state. Fails if a state is repeated. */
export const enqueueDiscovery = Effect.fn("enqueueDiscovery")(function* ({
  priority,
  stagger_seconds = 0,
  states
}: StoreDiscovery) {
  const repeated = states.find((state, index) => states.indexOf(state) < index)
  if (repeated !== undefined) {
    return yield* new InvalidInput({ message: `states: ${repeated} is repeated` })
  }
  const { name: kind } = storeDiscovery
  return yield* enqueueStaggered({
    tasks: states.map((state) => ({ kind, payload: { state }, ...(priority !== undefined && { priority }) })),
    delay_seconds: stagger_seconds
  })
})
