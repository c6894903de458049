import { render } from "preact"
import { useEffect } from "preact/hooks"
import { loginProblem, session, start } from "./api/session.ts"
import { FilterBar } from "./parts/FilterBar.tsx"
import { Help } from "./parts/Help.tsx"
import { Login } from "./parts/Login.tsx"
import { RangeBar } from "./parts/RangeBar.tsx"
import { Shell } from "./parts/Shell.tsx"
import { Funnel } from "./screens/Funnel.tsx"
import { Live } from "./screens/Live.tsx"
import { Overview } from "./screens/Overview.tsx"
import { Campaigns, Places, Products, Stores } from "./screens/Rankings.tsx"
import { System } from "./screens/System.tsx"
import { Visitors } from "./screens/Visitors.tsx"
import { When } from "./screens/When.tsx"
import { screen, screens } from "./state/screens.ts"
import { shared } from "./state/share.ts"

const contents = {
  overview: Overview,
  products: Products,
  live: Live,
  funnel: Funnel,
  campaigns: Campaigns,
  stores: Stores,
  visitors: Visitors,
  when: When,
  places: Places,
  system: System
} as const

const Ended = () => (
  <main class="login">
    <p class="problem" role="alert">
      {loginProblem.value}
    </p>
  </main>
)

const App = () => {
  const role = session.value?.role
  const name = screen.value
  useEffect(() => {
    document.title = role ? `${screens[name]} · Clicks` : "Clicks"
  }, [name, role])
  if (!role) return shared ? <Ended /> : <Login />
  const Content = contents[name]
  return (
    <Shell>
      {name !== "system" && name !== "live" && <RangeBar compares={name !== "when" && name !== "visitors"} />}
      {name !== "system" && <FilterBar />}
      <Content />
      <Help />
    </Shell>
  )
}

const place = document.getElementById("app")
start().then(() => {
  place?.replaceChildren()
  if (place !== null) render(<App />, place)
})
