import { session } from "../api/session.ts"
import { Health } from "./system/Health.tsx"
import { Schedules } from "./system/Schedules.tsx"
import { Tasks } from "./system/Tasks.tsx"
import { TrustedOrigins } from "./system/TrustedOrigins.tsx"

/** How the service is. Tasks, schedules and trusted origins are for admins only. */
export const System = () => (
  <>
    <h1>System</h1>
    <Health />
    {session.value?.role === "admin" ? (
      <>
        <Tasks />
        <Schedules />
        <TrustedOrigins />
      </>
    ) : (
      <p class="empty">Tasks, schedules and trusted origins are shown to admins.</p>
    )}
  </>
)
