// Records and lists with the typed client: node client.mjs URL KEY
import { connect } from "@clicks/http/client"

const [, , baseUrl, key] = process.argv
const { listing, recording } = connect({ baseUrl, key })
const { headers } = await recording.record({
  payload: { product_id: "p-client", action: "view", source: "web" }
})
const { total } = await listing.list({ query: { product_id: "p-client" } })
console.log(JSON.stringify({ receipt: headers["click-receipt"], total }))
