import { useState } from "preact/hooks"
import { refresh } from "../../state/refresh.ts"

/** Changes of what a panel shows. */
export interface Changing {
  /** What the last change failed with. */
  readonly problem: string
  readonly isBusy: boolean
  /** Makes a change, then reads everything anew. */
  readonly run: (change: () => Promise<unknown>) => Promise<void>
}

/** Runs changes one at a time. */
export const useChange = (): Changing => {
  const [problem, setProblem] = useState("")
  const [isBusy, setIsBusy] = useState(false)
  const run = async (change: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true)
    setProblem("")
    await change().catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error))
    )
    setIsBusy(false)
    refresh()
  }
  return { problem, isBusy, run }
}
