import { attempt, local, random } from "./storage.ts"

// Other constants are declared inside functions, where the bundler inlines them.
const prefix = "clicks.v1."

// The batches of this page by key. A batch is the JSON texts of its clicks, each after a line break. `local` has copies of them, unless it is
// full, and the batches of other pages.
const own: Record<string, string> = {}
// The key of the batch to which clicks are appended.
let open = ""
let soon = 0

// Undefined while nothing may be sent.
let endpoint: URL | undefined
// The keys of the batches in flight, and the bytes of their requests.
const sending = new Set<string>()
let bytes = 0
// The delay after the last failure and the rest of it, in ticks of five seconds.
let backoff = 0
let wait = 0

const ageOf = (key: string): number => Date.now() - Number.parseInt(key.slice(prefix.length), 36)

// Oldest first.
const batches = (): ReadonlyArray<[key: string, lines: string]> =>
  Object.entries({ ...local, ...own })
    .filter(([key]) => key.startsWith(prefix))
    .sort()

const remove = (key: string): void => {
  delete own[key]
  delete local[key]
}

const post = async (key: string, clicks: ReadonlyArray<string>, isLeaving: unknown): Promise<void> => {
  // Later clicks go into another batch.
  open = ""
  const url = `${endpoint}?key=${key}`
  // `sent_at` differs in each attempt: the service compares it with its own clock to correct the times of the clicks.
  const body = `{"sent_at":"${new Date().toISOString()}","clicks":[${clicks}]}`
  if (isLeaving && !("keepalive" in Request.prototype)) {
    // `sendBeacon` reports no outcome, so the batch is kept and sent again. The service ignores duplicates.
    return void navigator.sendBeacon(url, body)
  }
  const size = new Blob([body]).size
  let isDone = false
  sending.add(key)
  bytes += size
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      credentials: "omit",
      // Browsers reject requests with keepalive beyond 64 KiB in flight.
      keepalive: bytes < 60_000,
      signal: AbortSignal.timeout?.(30_000)
    })
    const answer = await response.text()
    // The service would reject the same request again.
    isDone = [400, 413, 415, 422].includes(response.status) || JSON.parse(answer).dropped === 0
    if (isDone && !answer.includes('"errors":[]')) console.warn("Clicks rejected:", answer)
  } catch {}
  sending.delete(key)
  bytes -= size
  if (isDone) {
    backoff = 0
    remove(key)
    send()
  } else {
    const fiveMinutes = 60
    backoff = Math.min(backoff * 2 || 1, fiveMinutes)
    wait = backoff * Math.random()
  }
}

/**
 * Sends the oldest batch, or, when the user leaves the page, as many batches as browsers allow. Drops batches that are too old, and the
 * oldest if there are too many. For five seconds, only the page that wrote a batch sends it.
 */
const send = (isLeaving?: unknown): void => {
  const maxClicks = 500
  const maxAge = 3 * 24 * 3_600_000
  const all = batches()
  // Each click has one line break; JSON has no others.
  let excess = all.join().split("\n").length - 1 - maxClicks
  for (const [key, lines] of all) {
    const [, ...clicks] = lines.split("\n")
    if (excess > 0 || ageOf(key) > maxAge) {
      excess -= clicks.length
      remove(key)
    } else if (
      endpoint &&
      !sending.has(key) &&
      (own[key] || Math.abs(ageOf(key)) > 5_000) &&
      sending.size < (isLeaving ? 9 : wait > 0 ? 0 : 1)
    ) {
      post(key, clicks, isLeaving)
    }
  }
}

/** Appends a click to the open batch and sends it. Begins a new batch if the open one is full, a second old or in flight. */
export const add = (click: object): void => {
  // In characters, which take at most three bytes: browsers send at most 64 KiB for a closed page.
  const maxLength = 16_000
  let lines = own[open]
  if (!lines || lines.length > maxLength || ageOf(open) > 1_000) {
    open = `${prefix + Date.now().toString(36)}.${random()}`
    lines = ""
  }
  lines += `\n${JSON.stringify(click)}`
  own[open] = lines
  attempt(() => {
    local[open] = lines
  })
  clearTimeout(soon)
  soon = setTimeout(send)
}

/** Sets the address to send to, and starts sending. */
export const sendTo = (url: URL): void => {
  endpoint = url
  send()
}

/** Stops sending and deletes all batches. */
export const stop = (): void => {
  endpoint = undefined
  for (const [key] of batches()) remove(key)
}

/** Retries at intervals, when the browser is online again, and when the page is shown, hidden or left. */
export const keepSending = (): void => {
  const onChange = () => {
    if (!document.hidden) {
      backoff = 0
      wait = 0
    }
    send(document.hidden)
  }
  setInterval(() => {
    wait--
    send()
  }, 5_000)
  addEventListener("online", onChange)
  addEventListener("visibilitychange", onChange)
  // The event is passed as `isLeaving` and is truthy.
  addEventListener("pagehide", send)
}
