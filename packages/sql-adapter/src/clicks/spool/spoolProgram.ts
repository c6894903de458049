import { parentPort, workerData } from "node:worker_threads"
import { LocalSpool } from "./LocalSpool.ts"
import type { OperationRequest, SpoolAnswer, SpoolMessage, SpoolRequest } from "./SpoolMessages.ts"
import { toTrouble } from "./SpoolTrouble.ts"

// The program of the thread. It loads no Effect, which each thread would have to load again.

const tell = (message: SpoolMessage): void => parentPort?.postMessage(message)

const spool = new LocalSpool(workerData, {
  onSetAside: (file, cause) => tell({ tag: "setAside", file, cause: toTrouble(cause).message }),
  onSalvaged: (report) => tell({ tag: "salvaged", report })
})

const perform = (request: OperationRequest): unknown => {
  switch (request.operation) {
    case "append":
      return spool.append(...request.parameters)
    case "peek":
      return spool.peek(...request.parameters)
    case "remove":
      return spool.remove(...request.parameters)
    case "exclude":
      return spool.exclude(...request.parameters)
    case "status":
      return spool.status()
    case "check":
      return spool.check()
  }
}

const outcomeOf = (request: OperationRequest): SpoolAnswer["outcome"] => {
  try {
    return { isDone: true, value: perform(request) }
  } catch (cause) {
    const { message, reason } = toTrouble(cause)
    return { isDone: false, reason, message }
  }
}

// What is in the way of a salvage (a full disk, another process that is at it) is looked at again after this long.
const pauseMillis = 1000

let isSalvaging = false

const salvage = (): void => {
  const progress = spool.salvage()
  isSalvaging = progress !== "done"
  if (progress === "more") setImmediate(salvage)
  if (progress === "later") setTimeout(salvage, pauseMillis)
}

parentPort?.on("message", (request: SpoolRequest) => {
  if (request.operation === "close") {
    spool.close()
    process.exit()
  }
  tell({ tag: "answer", id: request.id, outcome: outcomeOf(request) })
  // Each time, because another process may have set a file aside and ended before it was salvaged.
  if (isSalvaging) return
  isSalvaging = true
  setImmediate(salvage)
})
