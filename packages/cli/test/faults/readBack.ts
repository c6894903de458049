import type { StoredRow } from "./compare.ts"
import { adminKey, type ServiceProcess } from "./ServiceProcess.ts"

const get = (service: ServiceProcess, path: string) =>
  fetch(`${service.url}${path}`, { headers: { "x-api-key": adminKey } })

/** Every click that is there, as the export gives it. */
export async function* exported(service: ServiceProcess): AsyncGenerator<StoredRow> {
  const { body, status } = await get(service, "/api/events/product-clicks/export?format=ndjson")
  if (body === null || status !== 200) throw new Error(`The export answered ${status}`)
  let rest = ""
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== "") throw new Error("The export broke off")
}

/** How many clicks the listing says there are. */
export const listedTotal = async (service: ServiceProcess): Promise<number> =>
  JSON.parse(await (await get(service, "/api/events/product-clicks?limit=1")).text()).total

export interface Readiness {
  readonly isReady: boolean
  readonly depth: number
  readonly setAside: number
}

/** What the service says of itself; undefined when it does not answer. */
export const readiness = async (service: ServiceProcess): Promise<Readiness | undefined> => {
  try {
    const answer = await get(service, "/readyz")
    const { spool } = JSON.parse(await answer.text()).checks
    return { isReady: answer.status === 200, depth: spool.depth ?? -1, setAside: spool.set_aside ?? 0 }
  } catch {
    return undefined
  }
}
