/**
 * A React shop that records its clicks. In an application, the first three lines belong into the module that starts it in the browser.
 */

import { type ClickAction, connect } from "@clicks/browser"
import { captureClicks, captureViews } from "@clicks/browser/capture"
import type { ReactNode } from "react"

const clicks = connect("https://clicks.example", { source: "shop" })
captureClicks(clicks.record)
captureViews(clicks.record)

interface Product {
  readonly id: string
  readonly storeId: string
  readonly name: string
}

/** A view is recorded when half of the card has been visible for a second, and a click when its link is followed. */
export const ProductCard = ({ id, name, storeId }: Product): ReactNode => (
  <article data-click="view" data-product={id} data-store={storeId}>
    <a href={`/products/${id}`} data-click="open_product">
      {name}
    </a>
    <RecordingButton id={id} action="compare">
      Compare
    </RecordingButton>
  </article>
)

interface RecordingButtonProps {
  readonly id: string
  readonly action: ClickAction
  readonly children: ReactNode
}

/** Records by code. */
const RecordingButton = ({ action, children, id }: RecordingButtonProps): ReactNode => (
  <button type="button" onClick={() => clicks.record({ product_id: id, action })}>
    {children}
  </button>
)
