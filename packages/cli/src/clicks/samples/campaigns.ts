/** A campaign and how its visits differ from others; without `id`, the visits that belong to no campaign. */
export interface SampleCampaign {
  readonly id: string | undefined
  /** It runs from the beginning of the one day to the beginning of the other: 0 is 30 days ago, 30 is now. */
  readonly from: number
  readonly to: number
  /** Its share of the visits, relative to the other campaigns that run. */
  readonly weight: number
  /** The page that visits begin on. */
  readonly landing: string
  /** The share of visits on a phone. */
  readonly mobile: number
  /** The share of visits by visitors who have been there before. */
  readonly returning: number
  /** The chance that a viewed product is opened, and that an opened one leads to its store. */
  readonly open: number
  readonly store: number
}

const usual = { from: 0, to: 30, landing: "campaign", mobile: 0.6, returning: 0.35, open: 0.42, store: 0.38 }

/** Three campaigns have ended, one began 20 days ago, and one began a week ago. */
export const campaigns: ReadonlyArray<SampleCampaign> = [
  { ...usual, id: undefined, weight: 55, landing: "category", returning: 0.45, open: 0.34, store: 0.3 },
  { ...usual, id: "new-arrivals", to: 14, weight: 16, landing: "home", open: 0.46, store: 0.16 },
  { ...usual, id: "loyalty-mail", from: 7, to: 10, weight: 30, returning: 0.85, open: 0.52, store: 0.48 },
  {
    ...usual,
    id: "social-video",
    from: 10,
    weight: 22,
    landing: "product",
    mobile: 0.94,
    returning: 0.08,
    open: 0.2,
    store: 0.12
  },
  { ...usual, id: "harvest-sale", from: 18, to: 25, weight: 34 },
  { ...usual, id: "weekend-deals", from: 23, weight: 18 }
]
