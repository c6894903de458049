import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import { listSchedules, putSchedule, removeSchedule } from "./schedules.ts"

/** Handles the endpoints of `SchedulesApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "schedules", (handlers) =>
  handlers
    .handle("list", () => listSchedules)
    .handleRaw("put", ({ params, request }) => putSchedule(params.id, request))
    .handle("remove", ({ params }) => removeSchedule(params.id))
)
