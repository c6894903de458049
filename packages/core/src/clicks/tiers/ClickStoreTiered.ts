import { Array as Arr, Clock, Duration, Effect, Layer, Stream } from "effect"
import { answerWithin } from "../../answerWithin.ts"
import { timeOf, type Uuid } from "../../values/Uuid.ts"
import type { ListingPosition } from "../ClickCursor.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import { type ClickQuery, toPage } from "../ClickQuery.ts"
import { ClickStore, ClickStoreError, collectPage, type StreamedPage, streamedPage } from "../ClickStore.ts"
import { bothTiers } from "./bothTiers.ts"
import { ClickArchive } from "./ClickArchive.ts"
import { archivePatience, bucketWidths, type Cut, needsNoArchive, type TierReads } from "./Cut.ts"
import { gracePeriod } from "./HotBatches.ts"
import { HotClicks } from "./HotClicks.ts"
import { locatePage, type PageWindow, within } from "./locatePage.ts"

// The number of clicks of a page that are in memory at once, each with up to 64 kB. A larger page is read twice: first its positions, then
// its clicks in pieces of this size.
const piece = 100

const positionOf = ({ id, occurred_at }: ListingPosition): ListingPosition => ({ id, occurred_at })

/** The clicks at these positions, which follow `before` in the listing. */
const readPieces = (
  { read }: TierReads,
  cut: Cut,
  { filter }: PageWindow,
  before: ListingPosition | undefined,
  positions: ReadonlyArray<ListingPosition>
) => {
  const starts = Arr.range(0, Math.ceil(positions.length / piece) - 1).map((index) => index * piece)
  return Stream.flatMap(Stream.fromIterable(starts), (start) => {
    const [first, last] = [positions[start], positions[Math.min(start + piece, positions.length) - 1]]
    if (first === undefined || last === undefined) return Stream.empty
    const range = within(filter, last.occurred_at.getTime(), first.occurred_at.getTime())
    const after = start === 0 ? before : positions[start - 1]
    const limit = Math.min(piece, positions.length - start)
    return read(cut, range, { ...(after && { after }), limit })
  })
}

const readPage = Effect.fnUntraced(function* (
  both: TierReads,
  cut: Cut,
  query: ClickQuery
): Effect.fn.Return<StreamedPage, ClickStoreError> {
  const days = yield* both.count(cut, query.filter, bucketWidths[0])
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const window = yield* locatePage(query, days, (...part) => both.count(cut, ...part))
  if (window === undefined) return streamedPage(toPage(query, [], total))
  const { filter, skip } = window
  // The page begins after the last skipped click, so that one is read too.
  const skipped = Math.max(0, skip - 1)
  const part = { ...(query.after && { after: query.after }), limit: skip + query.limit + 1 }
  const clicks = Stream.drop(both.read(cut, filter, part), skipped)
  const ahead = skip - skipped
  if (query.limit <= piece)
    return streamedPage(toPage(query, (yield* Stream.runCollect(clicks)).slice(ahead), total))
  const found = yield* Stream.runCollect(Stream.map(clicks, positionOf))
  const page = toPage(query, found.slice(ahead), total)
  const before = ahead > 0 ? found[0] : query.after
  return { ...page, events: readPieces(both, cut, window, before, page.events) }
})

const late = () =>
  Effect.fail(new ClickStoreError({ operation: "list", reason: "HistoryUnavailable", cause: undefined }))

const make = Effect.gen(function* () {
  const plain = yield* ClickStore
  const hot = yield* HotClicks
  const archive = yield* ClickArchive
  const both = bothTiers(hot, archive)

  // Clicks leave the hot store at least a grace period after their ids were created. Half of it allows for differences between clocks.
  const mayHaveLeft = (now: number) => (id: Uuid) => {
    const time = timeOf(id)
    return time !== undefined && Math.abs(now - time) > Duration.toMillis(gracePeriod) / 2
  }

  // The archive is searched first: a click is there for a grace period before it leaves the hot store.
  const insert = Effect.fnUntraced(function* (batch: ReadonlyArray<ClickEvent>) {
    const old = batch.map(({ id }) => id).filter(mayHaveLeft(yield* Clock.currentTimeMillis))
    if (old.length === 0) return yield* plain.insert(batch)
    const cut = yield* hot.cut
    if (cut === null) return yield* plain.insert(batch)
    const archived = new Set((yield* archive.find(cut, old)).map(({ id }) => id))
    return yield* plain.insert(batch.filter(({ id }) => !archived.has(id)))
  })

  /** Reads the page from the hot store. Fails with `error` unless the hot store is known to have all clicks of the page. */
  const recentPage = Effect.fnUntraced(function* (query: ClickQuery, error: ClickStoreError) {
    const page = yield* plain.streamPage(query)
    const cut = yield* hot.cut
    return cut === null || needsNoArchive(cut, query.filter) ? page : yield* error
  })

  const streamPage = Effect.fn("ClickStore.list")(function* (query: ClickQuery) {
    const cut = yield* hot.cut
    if (cut === null) return yield* plain.streamPage(query)
    const page = readPage(both, cut, query)
    return yield* Effect.catchIf(
      needsNoArchive(cut, query.filter) ? answerWithin(page, archivePatience, late) : page,
      ({ reason }) => reason === "HistoryUnavailable",
      (error) => recentPage(query, error)
    )
  })

  return ClickStore.of({
    insert,
    list: (query) => Effect.flatMap(streamPage(query), collectPage),
    streamPage,
    stream: (filter) =>
      Stream.unwrap(
        Effect.map(hot.cut, (cut) => (cut === null ? plain.stream(filter) : both.read(cut, filter, {})))
      )
  })
})

/**
 * Keeps clicks in a hot store and an archive. The hot store is the `ClickStore` that this layer requires. Inserts go to the hot store;
 * pages, totals and streams read the clicks of a cut. While the archive is unavailable, pages that need it fail with `HistoryUnavailable`.
 */
export const layer: Layer.Layer<ClickStore, never, ClickStore | HotClicks | ClickArchive> = Layer.effect(
  ClickStore,
  make
)
