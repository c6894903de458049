import type { Clicks, Options } from "./Click.ts"
import { start } from "./start.ts"

export type { Click, ClickAction, Clicks, Options } from "./Click.ts"

let clicks: Clicks | undefined

/**
 * Records clicks of this page with the service at `url`. Later calls return the result of the first. To record clicks on elements
 * with `data-click`, pass `record` to the functions of `@clicks/browser/capture`.
 */
export const connect = (url: string, options: Options = {}): Clicks => {
  clicks ||= start(url, options)
  return clicks
}
