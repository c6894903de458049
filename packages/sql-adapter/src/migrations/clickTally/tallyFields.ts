/** The fields whose values are counted. */
export const fields = ["product_id", "store_id", "brand_id", "campaign_id", "source"] as const

/** The columns for the keys of values that are paired. */
export const paired = fields.map((field) => `paired_${field}`)

/** Every two of them. */
export const pairs = paired.flatMap((one, index) =>
  paired.slice(index + 1).map((another) => `${one}, ${another}`)
)
