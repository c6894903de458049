import { Schema } from "effect"

/**
 * What happened to an accepted click.
 *
 * - `stored`: it is committed to the store; a listing that starts now shows it.
 * - `spooled`: the store could not take it; it is safe in the local spool and will be stored.
 * - `duplicate`: this idempotency key was stored before; nothing changed.
 * - `dropped`: neither was possible. It is counted and logged with the reason.
 */
export const ReceiptOutcome = Schema.Literals(["stored", "spooled", "duplicate", "dropped"])
export type ReceiptOutcome = typeof ReceiptOutcome.Type

export interface ClickReceipt {
  readonly id: string
  readonly outcome: ReceiptOutcome
  /** What could not be stored as it was sent and why, for a person; absent when all of it could. */
  readonly losses?: string
  /** Milliseconds that were added to `occurred_at`, because `sent_at` is that far from the time of receipt. */
  readonly clockShift?: number
}
