import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickArchive, type Tally } from "@clicks/core/clicks/tiers/ClickArchive"
import { type Cut, isDeletedBy, isExpired, isMoved } from "@clicks/core/clicks/tiers/Cut"
import { Effect, Hash, Layer, Stream } from "effect"
import { tierReads } from "./tierReadsMemory.ts"

const noClicks: Tally = { count: 0, checksum: "0" }

const add = ({ checksum, count }: Tally, clicks: ReadonlyArray<ClickEvent>): Tally => ({
  count: count + clicks.length,
  checksum: String(clicks.reduce((sum, click) => sum + Hash.string(JSON.stringify(click)), Number(checksum)))
})

const make = () => {
  const attempts = new Map<number, Array<ClickEvent>>()
  const clicksOf = (cut: Cut) =>
    Array.from(attempts).flatMap(([attempt, clicks]) => (isMoved(cut, attempt) ? clicks : []))

  const append = (attempt: number, clicks: ReadonlyArray<ClickEvent>) => {
    const stored = attempts.get(attempt) ?? []
    stored.push(...clicks)
    attempts.set(attempt, stored)
  }

  return ClickArchive.of({
    ...tierReads(clicksOf),
    ping: Effect.void,
    write: (attempt, clicks) =>
      Stream.runFold(
        Stream.tap(Stream.chunks(clicks), (chunk) => Effect.sync(() => append(attempt, chunk))),
        () => noClicks,
        add
      ),
    check: (attempt) => Effect.sync(() => add(noClicks, attempts.get(attempt) ?? [])),
    forget: (gone) => Effect.sync(() => gone.forEach((attempt) => void attempts.delete(attempt))),
    remove: (deletion) =>
      Effect.sync(() => {
        for (const [attempt, clicks] of attempts)
          attempts.set(
            attempt,
            clicks.filter((click) => !isDeletedBy(deletion, click))
          )
      }),
    find: (cut, ids) =>
      Effect.sync(() => {
        const wanted = new Set(ids)
        return clicksOf(cut).filter((click) => wanted.has(click.id) && !isExpired(cut, click))
      })
  })
}

/** Keeps older clicks in this process's memory, for tests. */
export const layer: Layer.Layer<ClickArchive> = Layer.sync(ClickArchive, make)
