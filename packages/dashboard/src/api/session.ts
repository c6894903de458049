import { signal } from "@preact/signals"
import { shared } from "../state/share.ts"
import { ApiError, change, read } from "./client.ts"
import type { AnswerOf } from "./endpoints.ts"

type Session = AnswerOf<"GET", "/api/session">

const anonymous: Session = { user_id: null, role: null, expires_at: null }

/** The user of the page; undefined until the service has responded. */
export const session = signal<Session | undefined>(undefined)

/** Why the last login failed or the session ended; empty if neither happened. */
export const loginProblem = signal("")

const problemOf = (error: unknown): string => (error instanceof ApiError ? error.message : String(error))

const begin = async (body: { readonly key: string } | { readonly link: string }): Promise<void> => {
  loginProblem.value = ""
  try {
    session.value = await change("POST", "/api/session", { body })
  } catch (error) {
    loginProblem.value = problemOf(error)
  }
}

/** Logs in with a key. */
export const logIn = (key: string): Promise<void> => begin({ key })

export const logOut = async (): Promise<void> => {
  await change("DELETE", "/api/session").catch(() => {})
  session.value = anonymous
}

/** Ends the session on the page after a 401: it has expired or its key was revoked. For a share link, the message contains the reason. */
export const endSession = ({ message }: ApiError): void => {
  if (session.value?.role) loginProblem.value = shared ? message : "Your session has ended. Log in again."
  session.value = anonymous
}

const loginFragment = "#login="

/** The session in the page, if the service put one there. */
const given = (): Session | undefined => {
  const content = document.getElementById("session")?.textContent
  return content ? JSON.parse(content) : undefined
}

/** Determines the user of the page. Follows a one-time login link in the address first. */
export const start = async (): Promise<void> => {
  if (shared) {
    session.value = { ...anonymous, role: "reader" }
    return
  }
  if (location.hash.startsWith(loginFragment)) {
    const link = location.hash.slice(loginFragment.length)
    // The link is used up and should not stay in the history.
    history.replaceState(null, "", location.pathname + location.search)
    await begin({ link })
    if (session.value !== undefined) return
  }
  try {
    session.value = given() ?? (await read("/api/session", {}))
  } catch (error) {
    loginProblem.value = problemOf(error)
    session.value = anonymous
  }
}
