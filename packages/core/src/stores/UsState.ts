import { Schema } from "effect"

/** The fifty states and the District of Columbia, by their two-letter codes. */
// biome-ignore format: one code a line takes 51
export const usStates = [
  "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID",
  "IL", "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO",
  "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA",
  "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY"
] as const

export const UsState = Schema.Literals(usStates).annotate({
  identifier: "UsState",
  description: "Two-letter US state, or DC",
  message: "must be a two-letter US state, or DC"
})
export type UsState = typeof UsState.Type
