import { clickOf, rowOf } from "./NumberedClick.ts"
import { states, type Witness } from "./Witness.ts"

export type StoredRow = Readonly<Record<string, unknown>>

/** The counts of a comparison. `missing` and all that follow must be 0. */
export interface Findings {
  readonly sent: number
  readonly stored: number
  readonly spooled: number
  readonly duplicate: number
  readonly dropped: number
  readonly unanswered: number
  /** Acknowledged but not stored. */
  readonly missing: number
  /** Stored more than once. */
  readonly doubled: number
  /** Stored with another value or another id, or received before it was sent. */
  readonly changed: number
  /** Stored although it was never sent, or not completely. */
  readonly unsent: number
  /** Rejected with an error although it is valid. */
  readonly refused: number
  /** Descriptions of some of the errors. */
  readonly examples: ReadonlyArray<string>
}

const mostExamples = 20

/** The differences between the row and the expected row of the click with this number. */
const differences = (witness: Witness, number: number, row: StoredRow): ReadonlyArray<string> => {
  const expected = rowOf(number, witness.productId(number), witness.firstOf(number))
  const mayBeUnknown = witness.stateOf(number) === states.left ? "ip_address" : ""
  const wrong = Object.keys(expected).filter(
    (name) => row[name] !== expected[name] && !(name === mayBeUnknown && row[name] === null)
  )
  const id = witness.idOf(number)
  const receivedAt = Date.parse(String(row["received_at"]))
  const isInTime = receivedAt >= witness.sentAt(number) - 1 && receivedAt <= Date.now()
  return [
    ...wrong,
    ...(id !== undefined && id !== row["id"] ? ["id"] : []),
    ...(isInTime ? [] : ["received_at"])
  ]
}

/** The poisoned clicks whose original is in the quarantine once, as it was sent. */
const quarantined = (witness: Witness, originals: ReadonlyArray<StoredRow>): ReadonlySet<number> =>
  new Set(
    [...witness.poisoned].filter((number) => {
      const sent = clickOf(number, witness.productId(number))
      const kept = originals.filter((original) => original["product_id"] === sent["product_id"])
      return kept.length === 1 && Object.entries(sent).every(([name, value]) => kept[0]?.[name] === value)
    })
  )

/** The number of missing clicks of requests that were partly dropped. */
const missingOfDropped = (witness: Witness, seen: Uint8Array): number =>
  [...witness.dropped].reduce((missing, [{ count, first }, dropped]) => {
    const there = seen.subarray(first, first + count).reduce((sum, one) => sum + one, 0)
    return missing + Math.max(0, count - dropped - there)
  }, 0)

/** Compares the witness's records with all rows and all originals in the quarantine. */
export const compare = async (
  witness: Witness,
  rows: AsyncIterable<StoredRow>,
  originals: ReadonlyArray<StoredRow>
): Promise<Findings> => {
  const seen = new Uint8Array(witness.sent)
  const counts = { missing: 0, doubled: 0, changed: 0, unsent: 0 }
  const examples = [...witness.refusals]
  const found = (what: keyof typeof counts, example: string) => {
    counts[what]++
    if (examples.length < mostExamples) examples.push(`${what}: ${example}`)
  }
  for await (const row of rows) {
    const number = witness.numberOf(String(row["product_id"]))
    if (number === undefined || witness.stateOf(number) === states.incomplete) {
      found("unsent", JSON.stringify(row))
      continue
    }
    const different = differences(witness, number, row)
    if (seen[number] === 1) found("doubled", JSON.stringify(row))
    else if (different.length > 0) found("changed", `${different} in ${JSON.stringify(row)}`)
    seen[number] = 1
  }
  const kept = quarantined(witness, originals)
  for (const number of seen.keys()) {
    const isPoisoned = witness.poisoned.has(number)
    const mustBe = isPoisoned || witness.stateOf(number) === states.acknowledged
    const isThere = isPoisoned ? kept.has(number) : seen[number] === 1
    if (mustBe && !isThere) found("missing", `${witness.productId(number)} ${witness.idOf(number) ?? ""}`)
  }
  return {
    sent: witness.sent,
    ...witness.told,
    unanswered: witness.count("unanswered", "incomplete", "left"),
    ...counts,
    missing: counts.missing + missingOfDropped(witness, seen),
    refused: witness.count("refused"),
    examples: examples.slice(0, mostExamples)
  }
}
