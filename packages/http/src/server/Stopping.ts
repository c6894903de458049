import { Context, Effect } from "effect"

/** Completes when the server begins to stop. Endless responses must end then, because the server waits for responses in progress. */
export const Stopping = Context.Reference<Effect.Effect<void>>("@clicks/http/server/Stopping", {
  defaultValue: () => Effect.never
})
