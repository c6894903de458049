import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import {
  addTrustedOrigin,
  listTrustedOrigins,
  removeTrustedOrigin,
  updateTrustedOrigin
} from "./trustedOrigins.ts"

/** Handles the endpoints of `TrustedOriginsApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "trustedOrigins", (handlers) =>
  handlers
    .handle("list", () => listTrustedOrigins)
    // Not by their declaration: core reads the fields, and says in a sentence what is wrong with one.
    .handleRaw("add", ({ request }) => addTrustedOrigin(request))
    .handleRaw("update", ({ params, request }) => updateTrustedOrigin(params.id, request))
    .handle("remove", ({ params }) => removeTrustedOrigin(params.id))
)
