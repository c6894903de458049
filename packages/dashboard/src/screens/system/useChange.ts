import { useState } from "preact/hooks"
import { refresh } from "../../state/refresh.ts"

/** Runs changes one at a time, reads everything anew after each, and keeps what the last one failed with. */
export const useChange = () => {
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
