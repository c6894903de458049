/** Types for a page that includes the script. */

import type { Click } from "@clicks/browser"

export const recordPurchase = (product_id: string): void => {
  const click: Click = { product_id, action: "other", page_type: "checkout" }
  window.clicks?.record(click)
}
