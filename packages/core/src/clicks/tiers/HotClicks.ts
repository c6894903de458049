import { Context, type Effect } from "effect"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Cut, TierReads } from "./Cut.ts"

/**
 * The clicks of the hot store that are not read from the archive yet. The hot store itself is an ordinary `ClickStore`, which also keeps
 * moved clicks for the grace period.
 *
 * `count` and `read` see the clicks that had arrived after the mark when the cut was made, at any time within the grace period.
 */
export class HotClicks extends Context.Service<
  HotClicks,
  TierReads & {
    /**
     * A cut from one snapshot, which includes every insert that has returned. Null until the mover has caught up for the first time: until
     * then, the hot store holds all clicks and nothing is read from the archive. Removal from the hot store starts at least a grace period
     * after the last null.
     */
    readonly cut: Effect.Effect<Cut | null, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/HotClicks") {}
