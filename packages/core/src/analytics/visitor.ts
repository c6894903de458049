import type { ClickEvent } from "../clicks/ClickEvent.ts"

/**
 * The visitor that a click identifies: its `user_id`, else its `ip_address` and `user_agent` together. Undefined when it has
 * none of the three: such a click counts as a click and for no visitor.
 */
export const visitorOf = ({
  ip_address,
  user_agent,
  user_id
}: Pick<ClickEvent, "user_id" | "ip_address" | "user_agent">): string | undefined => {
  if (user_id !== null) return JSON.stringify([user_id])
  return ip_address === null && user_agent === null ? undefined : JSON.stringify([ip_address, user_agent])
}
