import type { SalvageReport } from "./SalvageReport.ts"
import type { SpoolOperations } from "./SpoolOperations.ts"

export type OperationName = keyof SpoolOperations

export type OperationRequest = {
  [name in OperationName]: {
    readonly id: number
    readonly operation: name
    readonly parameters: Parameters<SpoolOperations[name]>
  }
}[OperationName]

/** What is asked of the thread of the spool. It answers in the order of the questions. */
export type SpoolRequest = OperationRequest | { readonly operation: "close" }

/** Something that a person should know. */
export type SpoolNews =
  | { readonly tag: "setAside"; readonly file: string; readonly cause: string }
  | { readonly tag: "salvaged"; readonly report: SalvageReport }

export interface SpoolAnswer {
  readonly tag: "answer"
  readonly id: number
  readonly outcome:
    | { readonly isDone: true; readonly value: unknown }
    | { readonly isDone: false; readonly reason: "Full" | "Unavailable"; readonly message: string }
}

/** What the thread of the spool says. */
export type SpoolMessage = SpoolAnswer | SpoolNews
