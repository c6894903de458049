import { useState } from "preact/hooks"
import { logIn, loginProblem } from "../api/session.ts"
import { Logo } from "./Logo.tsx"

/** The login form. */
export const Login = () => {
  const [key, setKey] = useState("")
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    await logIn(key)
    setIsBusy(false)
  }
  return (
    <main class="login">
      <form onSubmit={submit}>
        <Logo />
        <h1>Log in to Clicks</h1>
        <label for="key">Key</label>
        <input
          id="key"
          type="password"
          autocomplete="current-password"
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          aria-describedby="key-help"
        />
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Logging in …" : "Log in"}
        </button>
        {loginProblem.value !== "" && (
          <p class="problem" role="alert">
            {loginProblem.value}
          </p>
        )}
        <p id="key-help" class="hint">
          Create a key with <code>clicks keys create</code>. To log in without a key, run{" "}
          <code>clicks open</code> on the machine that runs the service.
        </p>
      </form>
    </main>
  )
}
