/** Where clicks are taken in. */
export const path = {
  one: "/api/events/product-click",
  many: "/api/events/product-clicks",
  image: "/api/events/product-click.gif"
} as const
