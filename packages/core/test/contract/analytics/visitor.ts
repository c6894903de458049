import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"

/**
 * The visitor that a click identifies: its `visitor_id`, or its `user_id`, or its `ip_address` and `user_agent` together. Undefined if it
 * has none of them: such a click is counted, but not for any visitor.
 */
export const visitorOf = ({
  ip_address,
  user_agent,
  user_id,
  visitor_id
}: Pick<ClickEvent, "ip_address" | "user_agent" | "user_id" | "visitor_id">): string | undefined => {
  if (visitor_id !== null) return JSON.stringify({ visitor_id })
  if (user_id !== null) return JSON.stringify([user_id])
  return ip_address === null && user_agent === null ? undefined : JSON.stringify([ip_address, user_agent])
}
