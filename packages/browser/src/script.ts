import { captureClicks, captureViews } from "./capture.ts"
import { start } from "./start.ts"

// If the script is included twice, only the first records. `window.clicks` may also be an element with this id, which has no `record`.
if (!window.clicks?.record) {
  const { dataset, src } = document.currentScript as HTMLScriptElement
  const clicks = start(src, dataset)
  window.clicks = clicks
  captureClicks(clicks.record)
  captureViews(clicks.record)
}
