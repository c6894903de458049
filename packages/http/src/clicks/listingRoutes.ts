import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import { exportClicks } from "./exportClicks.ts"
import { listClicks } from "./listClicks.ts"

/** Handles the endpoints of `ListingApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "listing", (handlers) =>
  handlers
    .handle("list", ({ query }) => listClicks(query))
    .handle("export", ({ query }) => exportClicks(query))
)
