import { useEffect, useRef, useState } from "preact/hooks"
import type { AnswerOf } from "./endpoints.ts"

export type Click = AnswerOf<"GET", "/api/events/product-clicks">["events"][number]

const kept = 200
const rateWindow = 60_000

export interface Feed {
  /** Newest first. */
  readonly clicks: ReadonlyArray<Click>
  /** Clicks in the last minute. */
  readonly perMinute: number
  readonly received: number
  readonly state: "connecting" | "open" | "lost"
}

const empty: Feed = { clicks: [], perMinute: 0, received: 0, state: "connecting" }

/** Follows the stream of clicks. While paused, new clicks are counted but not shown; they appear after the pause. */
export const useStream = (url: string, isPaused: boolean): Feed => {
  const [feed, setFeed] = useState<Feed>(empty)
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    let clicks: ReadonlyArray<Click> = []
    let arrivals: ReadonlyArray<number> = []
    let received = 0
    let frame = 0
    const source = new EventSource(url)
    const stateOf = (): Feed["state"] =>
      (({ [EventSource.OPEN]: "open", [EventSource.CONNECTING]: "connecting" }) as const)[
        source.readyState
      ] ?? "lost"
    const show = () => {
      frame = 0
      arrivals = arrivals.filter((at) => at > Date.now() - rateWindow)
      setFeed((before) => ({
        clicks: paused.current ? before.clicks : clicks,
        perMinute: arrivals.length,
        received,
        state: stateOf()
      }))
    }
    // At most once per frame, however many clicks arrive.
    const showSoon = () => {
      frame ||= requestAnimationFrame(show)
    }
    source.addEventListener("click", ({ data }) => {
      clicks = [JSON.parse(data), ...clicks].slice(0, kept)
      arrivals = [...arrivals.slice(-100_000), Date.now()]
      received++
      showSoon()
    })
    source.onopen = showSoon
    source.onerror = showSoon
    const timer = setInterval(showSoon, 1000)
    setFeed(empty)
    return () => {
      source.close()
      clearInterval(timer)
      cancelAnimationFrame(frame)
    }
  }, [url])
  return feed
}
