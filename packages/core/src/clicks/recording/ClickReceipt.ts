import { Schema } from "effect"

/**
 * The outcome of an accepted click.
 *
 * - `stored`: it is committed to the store. Every listing that starts now contains it.
 * - `spooled`: the store could not accept it. It is safe in the local spool and will be stored.
 * - `duplicate`: a click with this idempotency key was stored before. Nothing changed.
 * - `dropped`: store and spool both failed. The click is counted and logged with the reason.
 */
export const ReceiptOutcome = Schema.Literals(["stored", "spooled", "duplicate", "dropped"])
export type ReceiptOutcome = typeof ReceiptOutcome.Type

export interface ClickReceipt {
  readonly id: string
  readonly outcome: ReceiptOutcome
  /** What could not be stored as sent and why, in words; absent if everything could. */
  readonly losses?: string
  /** Milliseconds that were added to `occurred_at`, because `sent_at` is that far from the time of receipt. */
  readonly clockShift?: number
}
