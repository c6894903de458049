const { openClicks } = require("@clicks/core/promise")
const { connect } = require("@clicks/http/client")

const main = async () => {
  const clicks = openClicks()
  await clicks.record({ product_id: "p-1", action: "view", source: "kiosk" })
  const { total } = await clicks.list()
  await clicks.close()
  console.log(JSON.stringify({ total, recordMany: typeof connect({}).recording.recordMany }))
}

main()
