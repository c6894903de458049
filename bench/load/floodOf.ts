import type { BatchRequest } from "./batchRequests.ts"

/** The outcomes of the clicks of a flood. */
export interface FloodResult {
  readonly requests: number
  readonly stored: number
  readonly spooled: number
  readonly dropped: number
}

interface Answer {
  readonly stored: number
  readonly spooled: number
  readonly dropped: number
}

const send = async (url: string, { body, headers }: BatchRequest): Promise<Answer> => {
  const response = await fetch(`${url}/api/events/product-clicks`, { method: "POST", headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Not a success: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Sends a request over each connection, and again after each response, until the time is over. Each connection sends at least one. */
export const floodOf = async (
  url: string,
  request: BatchRequest,
  connections: number,
  seconds: number
): Promise<FloodResult> => {
  const end = performance.now() + seconds * 1000
  const answers: Array<Answer> = []
  const lane = async () => {
    do answers.push(await send(url, request))
    while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: connections }, lane))
  const sum = (name: keyof Answer) => answers.reduce((total, answer) => total + answer[name], 0)
  return { requests: answers.length, stored: sum("stored"), spooled: sum("spooled"), dropped: sum("dropped") }
}
