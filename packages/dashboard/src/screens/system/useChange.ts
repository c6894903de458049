import { useState } from "preact/hooks"
import { refresh } from "../../state/refresh.ts"

/** The state of the changes that a panel makes. */
export interface Changing {
  /** Why the last change failed; empty if it succeeded. */
  readonly problem: string
  readonly isBusy: boolean
  /** Makes a change, then reloads all panels. */
  readonly run: (change: () => Promise<unknown>) => Promise<void>
}

/** Runs changes. Buttons are disabled by `isBusy`, so there is one at a time. */
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
