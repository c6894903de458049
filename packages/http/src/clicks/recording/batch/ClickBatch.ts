import { Buffer } from "node:buffer"
import * as ClickInput from "@clicks/core/clicks/ClickInput"
import type { KnownFields } from "@clicks/core/clicks/recording/knownFields"
import { Effect } from "effect"
import { BodyRefused, utf8 } from "../../../requests/RequestBody.ts"
import * as ClickBody from "../ClickBody.ts"
import { fieldsIgnored, type Notices } from "../recordingNotices.ts"
import * as ClickEnvelope from "./ClickEnvelope.ts"
import { cut, type Limits } from "./cutBatch.ts"

/** One click of a batch: its JSON value and its original bytes, or the reason why it cannot be read. */
export type BatchItem =
  | { readonly value: unknown; readonly original: () => Uint8Array }
  | { readonly unreadable: string }

export interface ClickBatch {
  readonly items: ReadonlyArray<BatchItem>
  /** The time of sending by the sender's clock, from the envelope; null without one. */
  readonly sentAt: Date | null
  /** Which fields are not stored. */
  readonly notices: Notices
}

const notJson = new BodyRefused({
  status: 400,
  error: "The body must be a JSON array, an object with an array clicks, or NDJSON, in UTF-8"
})

const largeEnvelope = (limit: number) =>
  new BodyRefused({ status: 413, error: `Envelope too large: the limit is ${limit} bytes beside the clicks` })

const tooMany = (limit: number) =>
  new BodyRefused({ status: 413, error: `Too many clicks: the limit is ${limit} per request` })

// A notice names a few ignored fields and counts the others, up to this number.
const mostIgnored = 1_000

/** Collects the items of a body. */
class BatchBuilder {
  readonly #items: Array<BatchItem> = []
  readonly #ignored = new Set<string>()
  readonly #notices: Array<string> = []
  #sentAt: Date | null = null

  addEnvelope({ sent_at, ...ignored }: Readonly<Record<string, unknown>>): void {
    this.#sentAt = ClickInput.instantOrNull({ sent_at }, "sent_at", (reason) =>
      this.#notices.push(`Ignored: ${reason}`)
    )
    this.#addIgnored(Object.keys(ignored))
  }

  /** The bytes are a view of the body, not a copy, so the originals of all items take no more memory than the body. */
  addClick({ body, ignored }: KnownFields, bytes: Uint8Array): void {
    this.#items.push({ value: body, original: () => bytes })
    this.#addIgnored(ignored)
  }

  addUnreadable(unreadable: string): void {
    this.#items.push({ unreadable })
  }

  #addIgnored(names: ReadonlyArray<string>): void {
    for (const name of names) if (this.#ignored.size < mostIgnored) this.#ignored.add(name)
  }

  get batch(): ClickBatch {
    const notices = [...this.#notices, ...fieldsIgnored(Array.from(this.#ignored))]
    return { items: this.#items, sentAt: this.#sentAt, notices }
  }
}

const addLine = (builder: BatchBuilder, line: Uint8Array): void => {
  const text = utf8(line)
  const fields = text === undefined ? undefined : ClickBody.fromText(text)
  if (fields !== undefined) builder.addClick(fields, line)
  else if (text === undefined) builder.addUnreadable("The line is not UTF-8")
  else if (text.trim() !== "") builder.addUnreadable("The line is not JSON")
}

/** Returns whether the element is JSON. */
const addElement = (builder: BatchBuilder, element: Uint8Array): boolean => {
  // Not `utf8`, which would drop a byte order mark: inside an array, it is an error.
  const text = Buffer.from(element.buffer, element.byteOffset, element.length).toString()
  const fields = ClickBody.fromText(text)
  if (fields !== undefined) builder.addClick(fields, element)
  return fields !== undefined
}

const envelopeFields = Effect.fnUntraced(function* (
  envelope: ClickEnvelope.ClickEnvelope,
  { maxBody }: Limits
) {
  if (ClickEnvelope.sizeWithoutClicks(envelope) > maxBody) return yield* largeEnvelope(maxBody)
  return ClickEnvelope.fields(envelope) ?? (yield* notJson)
})

// Bytes to parse before yielding to other requests: about 0.5 ms for ordinary clicks, 5 ms for those that take longest to parse.
const turn = 64 * 1024

/**
 * Parses a body into clicks. It is a JSON array, an envelope with one, a single JSON value, or NDJSON, in which blank lines do not count.
 * If the media type allows several of these, the content decides. Fails if the body is none of them or has more than `maxBatch` clicks. A
 * click of more than `maxBody` bytes is not parsed.
 */
export const parse = Effect.fnUntraced(function* (body: Uint8Array, mediaType: string, limits: Limits) {
  const found = cut(body, mediaType, limits)
  if (found === undefined) return yield* notJson
  const { envelope, isArray, pieces } = found
  if (pieces.length > limits.maxBatch) return yield* tooMany(limits.maxBatch)
  const builder = new BatchBuilder()
  if (envelope !== undefined) builder.addEnvelope(yield* envelopeFields(envelope, limits))
  let read = 0
  for (const piece of pieces) {
    if (piece.length > limits.maxBody)
      builder.addUnreadable(`Click too large: the limit is ${limits.maxBody} bytes`)
    else if (!isArray) addLine(builder, piece)
    else if (!addElement(builder, piece)) return yield* notJson
    read += piece.length
    if (read < turn) continue
    read = 0
    yield* Effect.yieldNow
  }
  return builder.batch
})
