import { pick, type Random } from "./random.ts"

/** A product of the sample shop. */
export interface SampleProduct {
  readonly id: string
  readonly category: string
  readonly brand: string
  /** How often it is viewed on a day of the month, from 0 (30 days ago) to 30 (now). */
  readonly weightOn: (day: number) => number
  /** The chance that it is opened after a view, relative to other products. 0: never. */
  readonly appeal: number
}

const brands = [
  "green-leaf",
  "desert-bloom",
  "copper-state",
  "high-mesa",
  "saguaro",
  "sundial",
  "nightjar",
  "ridgeline"
]

const namesOf: Readonly<Record<string, string>> = {
  "flower-3.5g":
    "blue-dream og-kush sour-diesel gelato wedding-cake northern-lights jack-herer zkittlez runtz white-widow " +
    "pineapple-express strawberry-cough purple-punch mimosa green-crack",
  "pre-roll": "blue-dream og-kush gelato super-silver-haze durban-poison mac-1 sunset-sherbet cherry-pie",
  "vape-1g":
    "sour-diesel northern-lights tangie grape-ape lemon-haze maui-wowie acapulco-gold strawnana trainwreck",
  "gummies-10": "mango peach watermelon sour-apple blueberry raspberry pineapple cherry-lime lemon tropical",
  "chocolate-100mg": "dark milk mint sea-salt espresso orange hazelnut",
  "tincture-30ml": "calm-1-1 focus-thc sleep-cbn relief-cbd",
  "balm-50ml": "arnica lavender menthol eucalyptus",
  "drink-355ml": "ginger-lime blood-orange yuzu"
}

const storeRows: ReadonlyArray<
  readonly [id: string, name: string, city: string, lat: number, lng: number, weight: number]
> = [
  ["phoenix-midtown", "Green Leaf Midtown", "Phoenix", 33.48, -112.07, 38],
  ["scottsdale-old-town", "Old Town Remedies", "Scottsdale", 33.49, -111.92, 22],
  ["tempe-mill-avenue", "Mill Avenue Collective", "Tempe", 33.43, -111.94, 17],
  ["tucson-fourth-avenue", "Fourth Avenue Farmacy", "Tucson", 32.23, -110.97, 14],
  ["flagstaff-route-66", "Route 66 Greens", "Flagstaff", 35.2, -111.65, 6],
  ["yuma-riverside", "Riverside Wellness", "Yuma", 32.73, -114.62, 3]
]

/** The sample shop's stores in Arizona, most visited first. */
export const stores = storeRows.map(([id, name, city, lat, lng, weight]) => ({
  id,
  name,
  city,
  lat,
  lng,
  weight
}))

export type SampleStore = (typeof stores)[number]

const launchDay = 21

/** How a product's popularity changes over the month. For most products it is constant. */
const courses: ReadonlyArray<(day: number) => number> = [
  ...Array.from({ length: 9 }, () => () => 1),
  (day) => 0.4 + day / 15,
  (day) => 2.2 - day / 16,
  (day) => (day < launchDay ? 0 : 4)
]

/** The products, most popular first. A few are viewed often, most are viewed seldom. */
export const products = (random: Random): ReadonlyArray<SampleProduct> => {
  const names = Object.entries(namesOf).flatMap(([category, text]) =>
    text.split(" ").map((name) => ({ id: `${name}-${category}`, category }))
  )
  return names
    .map((product) => ({ ...product, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ category, id }, rank) => {
      const course = pick(courses, random)
      return {
        id,
        category,
        brand: pick(brands, random),
        weightOn: (day) => course(day) / (rank + 2) ** 0.85,
        // Some rarely viewed products are never opened.
        appeal: rank > 40 && random() < 0.25 ? 0 : 0.6 + random() * 0.8
      }
    })
}
