import { Context, type Effect } from "effect"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Cut, TierReads } from "./Cut.ts"

/**
 * The clicks of the hot store that the archive does not contribute yet. The hot store itself is a plain `ClickStore`, which also
 * keeps moved clicks for the grace period.
 *
 * `count` and `read` see the clicks that had arrived when the cut was made and came after its mark, whenever they are called
 * within the grace period.
 */
export class HotClicks extends Context.Service<
  HotClicks,
  TierReads & {
    /**
     * Mark, abandoned attempts and hot clicks of one snapshot. It shows every insert that has returned. Null while the hot store
     * has never caught up: it still holds every click, and nothing is read from the archive. Removal from the hot store starts no
     * sooner than a grace period after the last null.
     */
    readonly cut: Effect.Effect<Cut | null, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/HotClicks") {}
