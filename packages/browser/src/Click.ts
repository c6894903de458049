export type ClickAction = "view" | "open_store" | "open_product" | "compare" | "other"

/** A click. The page adds what is left out: `source`, `campaign_id`, `url_path` and the time. */
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
  /** Who the visitor is and on which visit, if the page knows better than the script. */
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
  /** The `source` of clicks of visitors who came without `utm_source`. Default: `web`. */
  readonly source?: string
}

export interface Clicks {
  /** Records a click. It is sent in the background, also when the page is closed. */
  readonly record: (click: Click) => void
  /** `true`: starts recording, whatever the browser's privacy signals say. `false`: the same as `off`. */
  readonly consent: (given: boolean) => void
  /** Stops recording in this browser, for later pages too, and deletes what is stored in it. */
  readonly off: () => void
}

declare global {
  interface Window {
    /** Set by the script. */
    clicks?: Clicks
  }
}
