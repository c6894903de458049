import { Effect, Layer, Stream } from "effect"
import { answerWithin } from "../../answerWithin.ts"
import { archivePatience, needsNoArchive } from "../../clicks/tiers/Cut.ts"
import { HotClicks } from "../../clicks/tiers/HotClicks.ts"
import { ClickAnalytics } from "../ClickAnalytics.ts"
import { ClickAnalyticsError } from "../ClickAnalyticsError.ts"
import { type AnalyticsQuery, maxHotClicks } from "../groups/AnalyticsQuery.ts"
import { ArchiveAnalytics } from "./ArchiveAnalytics.ts"

type Service = ClickAnalytics["Service"]
type Ask<A> = (analytics: Service) => Effect.Effect<A, ClickAnalyticsError>

/** The oldest clicks that a query counts; undefined if there is no bound. */
const startOf = ({ earlier, filter: { from } }: Pick<AnalyticsQuery, "earlier" | "filter">) =>
  from && earlier && earlier.from < from ? earlier.from : from

const late = (operation: string) =>
  Effect.fail(new ClickAnalyticsError({ operation, reason: "HistoryUnavailable", cause: undefined }))

const make = Effect.gen(function* () {
  const plain = yield* ClickAnalytics
  const hot = yield* HotClicks
  const archive = yield* ArchiveAnalytics

  const failed =
    (operation: string) =>
    (cause: unknown): ClickAnalyticsError =>
      new ClickAnalyticsError({ operation, reason: "Unavailable", cause })

  /** The result of both tiers. While the archive is unavailable, that of the hot store if it has all clicks since `from`. */
  const answer = Effect.fnUntraced(function* <A>(
    operation: string,
    from: Date | undefined,
    ask: Ask<A>
  ): Effect.fn.Return<A, ClickAnalyticsError> {
    const cut = yield* Effect.mapError(hot.cut, failed(operation))
    if (cut === null) return yield* ask(plain)
    const clicks = yield* Stream.runCollect(hot.read(cut, {}, { limit: maxHotClicks + 1 })).pipe(
      Effect.mapError(failed(operation))
    )
    if (clicks.length > maxHotClicks)
      return yield* new ClickAnalyticsError({ operation, reason: "TooManyHot", cause: undefined })
    const counted = ask(archive.over(cut, clicks))
    return yield* Effect.catchIf(
      needsNoArchive(cut, { ...(from && { from }) })
        ? answerWithin(counted, archivePatience, () => late(operation))
        : counted,
      ({ reason }) => reason === "HistoryUnavailable",
      Effect.fnUntraced(function* (error): Effect.fn.Return<A, ClickAnalyticsError> {
        const counted = yield* ask(plain)
        const now = yield* Effect.mapError(hot.cut, failed(operation))
        return now === null || needsNoArchive(now, { ...(from && { from }) }) ? counted : yield* error
      })
    )
  })

  return ClickAnalytics.of({
    groups: (query) => answer("groups", startOf(query), (analytics) => analytics.groups(query)),
    funnel: (query) => answer("funnel", startOf(query), (analytics) => analytics.funnel(query)),
    // Which visitors are new depends on all clicks.
    visitors: (query) => answer("visitors", undefined, (analytics) => analytics.visitors(query)),
    cohorts: (query) => answer("cohorts", undefined, (analytics) => analytics.cohorts(query)),
    pairs: (query) => answer("pairs", query.filter.from, (analytics) => analytics.pairs(query))
  })
})

/**
 * Counts the clicks of an archive and a hot store, and uses the hot store's analytics. Fails with `TooManyHot` while more than
 * `maxHotClicks` wait to be moved.
 */
export const layer: Layer.Layer<ClickAnalytics, never, ClickAnalytics | HotClicks | ArchiveAnalytics> =
  Layer.effect(ClickAnalytics, make)
