export type ClickAction = "view" | "open_store" | "open_product" | "compare" | "other"

/** A click. If omitted, `source`, `campaign_id`, `url_path`, the ids and the time are added. */
export interface Click {
  readonly product_id: string
  readonly action: ClickAction
  readonly source?: string
  readonly store_id?: string
  readonly brand_id?: string
  readonly campaign_id?: string
  readonly dispensary_name?: string
  readonly page_type?: string
  readonly url_path?: string
  /** Replaces the script's own random id of the visitor, and `session_id` that of the visit. */
  readonly visitor_id?: string
  readonly session_id?: string
  readonly visitor_city?: string
  readonly visitor_state?: string
  readonly visitor_lat?: number
  readonly visitor_lng?: number
}

export interface Options {
  /** `ask` keeps clicks in memory until `consent(true)`. */
  readonly consent?: "ask"
  /** The `source` of the clicks if the visitor arrived without `utm_source`. Default: `web`. */
  readonly source?: string
}

export interface Clicks {
  /** Records a click. It is sent in the background, even if the page is closed. */
  readonly record: (click: Click) => void
  /** `true`: starts recording, regardless of the browser's privacy signals. `false`: the same as `off`. */
  readonly consent: (given: boolean) => void
  /** Stops recording in this browser, also on later pages, and deletes the data that is stored in it. */
  readonly off: () => void
}

declare global {
  interface Window {
    /** Set by the script. */
    clicks?: Clicks
  }
}
