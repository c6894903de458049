import { Context, Effect } from "effect"

/** Waits until the server stops. Responses without an end have to end then: the server waits for those in progress. */
export const Stopping = Context.Reference<Effect.Effect<void>>("@clicks/http/server/Stopping", {
  defaultValue: () => Effect.never
})
