import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { logOut, session } from "../api/session.ts"
import { follow } from "../state/address.ts"
import { dayName } from "../state/dates.ts"
import { zone } from "../state/range.ts"
import { type Screen, screen, shownScreens } from "../state/screens.ts"
import { shared } from "../state/share.ts"
import { helpIsOpen } from "../state/shortcuts.ts"
import { isDark, switchTheme } from "../state/theme.ts"
import { Logo } from "./Logo.tsx"
import { Share } from "./Share.tsx"

const linkTo = (name: Screen) => follow({ screen: name === "overview" ? "" : name, sort: "", group: "" })

const Navigation = () => {
  const place = useRef<HTMLElement>(null)
  const current = screen.value
  useEffect(() => {
    // The list is wider than a small screen.
    const link = place.current?.querySelector<HTMLElement>("[aria-current]")
    if (link) place.current?.scrollTo({ left: link.offsetLeft - 48 })
  }, [current])
  return (
    <nav aria-label="Screens" ref={place}>
      <ul>
        {shownScreens.map(([name, title]) => (
          <li key={name}>
            <a {...linkTo(name as Screen)} aria-current={current === name ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Account = () => {
  const who = session.value
  return (
    <div class="account">
      {shared?.expires_at && <span class="who">Shared until {dayName(shared.expires_at, zone.value)}</span>}
      {who?.expires_at && <Share />}
      <button type="button" onClick={switchTheme}>
        {isDark.value ? "Light" : "Dark"}
      </button>
      <button type="button" onClick={() => (helpIsOpen.value = true)} aria-label="Keyboard shortcuts">
        ?
      </button>
      {who?.user_id && (
        <span class="who" title={`${who.user_id}, ${who.role}`}>
          <bdi>{who.user_id}</bdi>
        </span>
      )}
      {who?.expires_at && (
        <button type="button" onClick={logOut}>
          Log out
        </button>
      )}
    </div>
  )
}

/** The frame of every screen. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="shell">
    <a class="skip" href="#main">
      Skip to the figures
    </a>
    <header class="top">
      <a class="brand" {...linkTo("overview")}>
        <Logo />
        <span>Clicks</span>
      </a>
      <Navigation />
      <Account />
    </header>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  </div>
)
