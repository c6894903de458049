import { setTimeout as sleep } from "node:timers/promises"
import type { Progress } from "./openLoop.ts"

export interface WatchedTotals {
  reads: number
  /** Responses with 503, because the archive is unavailable. */
  refused: number
  /** A total must lie between the clicks acknowledged before the request and the clicks sent before its response. */
  readonly wrong: Array<string>
}

export const askTotal = async (url: string, key: string) => {
  const answer = await fetch(`${url}/api/events/product-clicks?limit=1`, { headers: { "x-api-key": key } })
  const { error, total } = (await answer.json()) as { total: number; error?: string }
  return { status: answer.status, error, total }
}

/** Reads the total again and again while clicks are recorded, until `isOver`. There were `base` clicks before. */
export const watchTotals = async (
  url: string,
  key: string,
  base: number,
  load: Progress,
  isOver: () => boolean
): Promise<WatchedTotals> => {
  const found: WatchedTotals = { reads: 0, refused: 0, wrong: [] }
  while (!isOver()) {
    const least = base + load.answered
    const { error, status, total } = await askTotal(url, key)
    const most = base + load.sent
    if (status === 503) found.refused++
    else if (status !== 200) found.wrong.push(`${status}: ${error}`)
    else if (total < least || total > most) found.wrong.push(`${total} instead of ${least} to ${most}`)
    found.reads++
    await sleep(20)
  }
  return found
}
