import type { ArchiveAnalytics } from "@clicks/core/analytics/ArchiveAnalytics"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { Context, Effect, Layer, Stream } from "effect"
import * as ArchiveAnalyticsMemory from "../../analytics/ArchiveAnalyticsMemory.ts"
import * as ClickArchiveMemory from "./ClickArchiveMemory.ts"
import { switchedArchive } from "./switchedArchive.ts"

/** Faults of an archive, each triggered by its next insert. */
export class ArchiveFaults extends Context.Service<
  ArchiveFaults,
  {
    /** The archive crashes during the insert. It is unknown how much of it is stored. The archive stays unavailable until `recover`. */
    readonly killAtInsert: Effect.Effect<void>
    /** The connection is lost, either before the archive has finished, or after it has finished but before it has responded. */
    readonly cutAtInsert: (when: "before" | "after") => Effect.Effect<void>
    /** Whether the fault has occurred. */
    readonly hasHappened: Effect.Effect<boolean>
    /** Restores the archive, and returns when it responds. */
    readonly recover: Effect.Effect<void>
  }
>()("@clicks/core/test/ArchiveFaults") {}

const makeMemory = Effect.gen(function* () {
  const { context, state } = switchedArchive(yield* Effect.context<ClickArchive | ArchiveAnalytics>())
  const archive = Context.get(context, ClickArchive)
  let fault: "kill" | "before" | "after" | undefined
  const late: Array<Effect.Effect<unknown, unknown>> = []

  const dies = Effect.suspend(() => {
    state.isDown = true
    return archive.ping
  })
  const away = Effect.sync(() => (state.isDown = true)).pipe(
    Effect.andThen(archive.ping),
    Effect.ensuring(Effect.sync(() => (state.isDown = false)))
  )
  const write: typeof archive.write = (attempt, clicks) =>
    Effect.suspend(() => {
      const next = fault
      fault = undefined
      if (next === undefined) return archive.write(attempt, clicks)
      if (next === "after") return Effect.tap(archive.write(attempt, clicks), () => away)
      return Effect.flatMap(Stream.runCollect(clicks), (sent) => {
        const half = sent.slice(0, Math.floor(Math.random() * (sent.length + 1)))
        if (next === "kill") return Effect.tap(archive.write(attempt, Stream.fromIterable(half)), () => dies)
        late.push(archive.write(attempt, Stream.fromIterable(sent)))
        return Effect.as(away, { count: 0, checksum: "" })
      })
    })

  const recover = Effect.suspend(() => {
    state.isDown = false
    return Effect.forEach(late.splice(0), (write) => Effect.ignore(write), { discard: true })
  })
  const order = (next: typeof fault) =>
    Effect.sync(() => {
      fault = next
    })
  return Context.add(context, ClickArchive, { ...archive, write }).pipe(
    Context.add(ArchiveFaults, {
      killAtInsert: order("kill"),
      cutAtInsert: order,
      hasHappened: Effect.sync(() => fault === undefined),
      recover
    })
  )
})

/** An archive in memory with faults. Data sent before a connection was lost arrives when the archive recovers. */
export const layerMemory = Layer.effectContext(makeMemory).pipe(
  Layer.provide(Layer.provideMerge(ArchiveAnalyticsMemory.layer, ClickArchiveMemory.layer))
)
