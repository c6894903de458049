import type { Server } from "node:http"

/** Prints where the peer listens, as `clicks serve --json` does. */
export const announce = (server: Server): void => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The peer listens on no port")
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }))
}
