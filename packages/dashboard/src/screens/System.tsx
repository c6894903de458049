import { session } from "../api/session.ts"
import { Health } from "./system/Health.tsx"
import { Keys } from "./system/Keys.tsx"
import { Quarantine } from "./system/Quarantine.tsx"
import { Schedules } from "./system/Schedules.tsx"
import { Tasks } from "./system/Tasks.tsx"
import { TrustedOrigins } from "./system/TrustedOrigins.tsx"

/** How the service is. All but its health is for admins only. */
export const System = () => (
  <>
    <h1>System</h1>
    <Health />
    {session.value?.role === "admin" ? (
      <>
        <Quarantine />
        <Tasks />
        <Schedules />
        <Keys />
        <TrustedOrigins />
      </>
    ) : (
      <p class="empty">The quarantine, tasks, schedules, keys and trusted origins are shown to admins.</p>
    )}
  </>
)
