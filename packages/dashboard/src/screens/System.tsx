import { session } from "../api/session.ts"
import { Health } from "./system/Health.tsx"
import { Keys } from "./system/Keys.tsx"
import { Quarantine } from "./system/Quarantine.tsx"
import { Schedules } from "./system/Schedules.tsx"
import { Tasks } from "./system/Tasks.tsx"
import { TrustedOrigins } from "./system/TrustedOrigins.tsx"

/** The state of the service. Only admins see more than its health. */
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
      <p class="empty">Only admins see the quarantine, tasks, schedules, keys and trusted origins.</p>
    )}
  </>
)
