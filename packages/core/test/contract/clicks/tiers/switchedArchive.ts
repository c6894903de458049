import { ArchiveAnalytics } from "@clicks/core/analytics/ArchiveAnalytics"
import { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { Context, Effect, Stream } from "effect"

const reason = "HistoryUnavailable"
const storeError = new ClickStoreError({ operation: "archive", reason, cause: "switched off" })
const analyticsError = new ClickAnalyticsError({ operation: "archive", reason, cause: "switched off" })

/** An archive that can be switched off. While it is off, each operation fails. */
export const switchedArchive = (ports: Context.Context<ClickArchive | ArchiveAnalytics>) => {
  const state = { isDown: false }
  const failingWith =
    <F>(failure: F) =>
    <A, E>(run: Effect.Effect<A, E>): Effect.Effect<A, E | F> =>
      Effect.suspend((): Effect.Effect<A, E | F> => (state.isDown ? Effect.fail(failure) : run))
  const guard = failingWith(storeError)
  const count = failingWith(analyticsError)
  const archive = Context.get(ports, ClickArchive)
  const analytics = Context.get(ports, ArchiveAnalytics)
  const context = Context.make(ClickArchive, {
    ping: guard(archive.ping),
    write: (...args) => guard(archive.write(...args)),
    check: (...args) => guard(archive.check(...args)),
    forget: (...args) => guard(archive.forget(...args)),
    remove: (...args) => guard(archive.remove(...args)),
    find: (...args) => guard(archive.find(...args)),
    count: (...args) => guard(archive.count(...args)),
    read: (...args) => Stream.unwrap(guard(Effect.sync(() => archive.read(...args))))
  }).pipe(
    Context.add(ArchiveAnalytics, {
      over: (...args) => {
        const { cohorts, funnel, groups, pairs, visitors } = analytics.over(...args)
        return {
          groups: (query) => count(groups(query)),
          funnel: (query) => count(funnel(query)),
          visitors: (query) => count(visitors(query)),
          cohorts: (query) => count(cohorts(query)),
          pairs: (query) => count(pairs(query))
        }
      }
    })
  )
  return { context, state }
}
