/** Bodies of clicks as a shop front sends them: a few products, stores and campaigns get most of them. */
export const clickBodies: ReadonlyArray<string> = Array.from({ length: 997 }, (_, n) => {
  const skewed = (count: number, step: number) => Math.floor(count * (((n * step) % 997) / 997) ** 3)
  return JSON.stringify({
    product_id: `p-${skewed(20_000, 331)}`,
    action: n % 10 < 6 ? "view" : n % 10 < 8 ? "open_product" : n % 10 < 9 ? "compare" : "open_store",
    source: n % 5 === 0 ? "app" : "web",
    store_id: `s-${skewed(500, 557)}`,
    brand_id: `b-${skewed(200, 71)}`,
    campaign_id: n % 3 === 0 ? null : `c-${skewed(100, 419)}`,
    dispensary_name: "Green Leaf",
    page_type: "category",
    url_path: `/products/p-${skewed(20_000, 331)}`,
    visitor_city: "Phoenix",
    visitor_state: "AZ",
    visitor_lat: 33.45,
    visitor_lng: -112.07
  })
})

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

/** The prebuilt bytes of requests. */
export const clickRequests: ReadonlyArray<Buffer> = clickBodies.map((body) =>
  Buffer.from(
    `POST /api/events/product-click HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${userAgent}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
)
