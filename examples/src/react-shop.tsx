/** A React shop that records its clicks. */

import { connect } from "@clicks/browser"
import { captureClicks, captureViews } from "@clicks/browser/capture"
import type { ReactNode } from "react"
import { createRoot } from "react-dom/client"

const clicks = connect("https://clicks.example", { source: "shop" })

// Record clicks on elements with data-click on every page of the application.
captureClicks(clicks.record)
captureViews(clicks.record)

interface Product {
  readonly id: string
  readonly storeId: string
  readonly name: string
}

const ProductCard = ({ id, name, storeId }: Product): ReactNode => (
  <article data-click="view" data-product={id} data-store={storeId}>
    <a href={`/products/${id}`} data-click="open_product">
      {name}
    </a>
    <button
      type="button"
      onClick={() => clicks.record({ product_id: id, store_id: storeId, action: "compare" })}
    >
      Compare
    </button>
  </article>
)

const root = document.getElementById("root")
if (root !== null) createRoot(root).render(<ProductCard id="p-1001" storeId="s-17" name="Blue Dream" />)
