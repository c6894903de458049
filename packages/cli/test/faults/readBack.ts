import type { StoredRow } from "./compare.ts"
import { adminKey, type ServiceProcess } from "./ServiceProcess.ts"

const get = (service: ServiceProcess, path: string) =>
  fetch(`${service.url}${path}`, { headers: { "x-api-key": adminKey } })

/** All stored clicks, as exported. */
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

/** The total of the listing. */
export const listedTotal = async (service: ServiceProcess): Promise<number> =>
  JSON.parse(await (await get(service, "/api/events/product-clicks?limit=1")).text()).total

export interface Readiness {
  readonly isReady: boolean
  readonly depth: number
  readonly setAside: number
}

/** The service's readiness; undefined if it does not respond. */
export const readiness = async (service: ServiceProcess): Promise<Readiness | undefined> => {
  try {
    const answer = await get(service, "/readyz")
    const { spool } = JSON.parse(await answer.text()).checks
    return { isReady: answer.status === 200, depth: spool.depth ?? -1, setAside: spool.set_aside ?? 0 }
  } catch {
    return undefined
  }
}
