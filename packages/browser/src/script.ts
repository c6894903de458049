import { captureClicks, captureViews } from "./capture.ts"
import { start } from "./start.ts"

// Included twice, the script records once. An element with the id "clicks" has no `record`.
if (!window.clicks?.record) {
  const { dataset, src } = document.currentScript as HTMLScriptElement
  const clicks = start(src, dataset)
  window.clicks = clicks
  captureClicks(clicks.record)
  captureViews(clicks.record)
}
