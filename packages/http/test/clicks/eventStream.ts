import { Effect, Queue } from "effect"

export interface StreamedEvent {
  readonly id: string
  readonly event: string | undefined
  /** The click; undefined in a heartbeat. */
  readonly data: { readonly id: string; readonly product_id: string } | undefined
}

const field = (block: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]

const eventOf = (block: string): StreamedEvent => {
  const data = field(block, "data")
  return {
    id: field(block, "id") ?? "",
    event: field(block, "event"),
    data: data === undefined ? undefined : JSON.parse(data)
  }
}

/** A stream, read in the background until the scope closes. */
interface EventStream {
  readonly response: Response
  /** The events, followed by `"end"` or the error that interrupted the stream. */
  readonly events: Queue.Queue<StreamedEvent | "end" | Error>
  /** The next clicks. */
  readonly take: (count: number) => Effect.Effect<ReadonlyArray<StreamedEvent>>
}

const readInto = async (response: Response, events: EventStream["events"]): Promise<void> => {
  let text = ""
  try {
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) Queue.offerUnsafe(events, eventOf(block))
    }
    Queue.offerUnsafe(events, "end")
  } catch (cause) {
    Queue.offerUnsafe(events, cause instanceof Error ? cause : new Error(String(cause)))
  }
}

const isClick = (event: StreamedEvent | "end" | Error): event is StreamedEvent =>
  typeof event === "object" && "event" in event && event.event === "click"

/** Opens a stream like a browser. */
export const eventStream = Effect.fnUntraced(function* (url: string, headers: Record<string, string>) {
  const abort = new AbortController()
  yield* Effect.addFinalizer(() => Effect.sync(() => abort.abort()))
  const response = yield* Effect.promise(() => fetch(url, { headers, signal: abort.signal }))
  const events = yield* Queue.unbounded<StreamedEvent | "end" | Error>()
  void readInto(response, events)
  const take = (count: number) =>
    Effect.gen(function* () {
      const found: Array<StreamedEvent> = []
      while (found.length < count) {
        const event = yield* Queue.take(events)
        if (event === "end" || event instanceof Error) return yield* Effect.die(event)
        if (isClick(event)) found.push(event)
      }
      return found
    })
  const stream: EventStream = { response, events, take }
  return stream
})
