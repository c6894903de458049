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

export interface SampleStore {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly lat: number
  readonly lng: number
  readonly weight: number
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

/** The sample shop's stores in Arizona, most visited first. */
export const stores: ReadonlyArray<SampleStore> = [
  {
    id: "phoenix-midtown",
    name: "Green Leaf Midtown",
    city: "Phoenix",
    lat: 33.48,
    lng: -112.07,
    weight: 38
  },
  {
    id: "scottsdale-old-town",
    name: "Old Town Remedies",
    city: "Scottsdale",
    lat: 33.49,
    lng: -111.92,
    weight: 22
  },
  {
    id: "tempe-mill-avenue",
    name: "Mill Avenue Collective",
    city: "Tempe",
    lat: 33.43,
    lng: -111.94,
    weight: 17
  },
  {
    id: "tucson-fourth-avenue",
    name: "Fourth Avenue Farmacy",
    city: "Tucson",
    lat: 32.23,
    lng: -110.97,
    weight: 14
  },
  {
    id: "flagstaff-route-66",
    name: "Route 66 Greens",
    city: "Flagstaff",
    lat: 35.2,
    lng: -111.65,
    weight: 6
  },
  { id: "yuma-riverside", name: "Riverside Wellness", city: "Yuma", lat: 32.73, lng: -114.62, weight: 3 }
]

const launchDay = 21

/** The course of a product's popularity over the month. Most have none. */
const courses: ReadonlyArray<(day: number) => number> = [
  ...Array.from({ length: 9 }, () => () => 1),
  (day) => 0.4 + day / 15,
  (day) => 2.2 - day / 16,
  (day) => (day < launchDay ? 0 : 4)
]

/** The products, in the order of their popularity: a few are viewed often, and most seldom. */
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
        // Some products that hardly anyone looks at are never opened.
        appeal: rank > 40 && random() < 0.25 ? 0 : 0.6 + random() * 0.8
      }
    })
}
