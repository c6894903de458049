import { ArchiveAnalytics } from "@clicks/core/analytics/ArchiveAnalytics"
import { matches } from "@clicks/core/clicks/ClickFilter"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { Effect, Layer, Stream } from "effect"
import * as ClickAnalyticsMemory from "./ClickAnalyticsMemory.ts"

/** Works with any `ClickArchive`: reads all matching clicks into memory. For tests. */
export const layer: Layer.Layer<ArchiveAnalytics, never, ClickArchive> = Layer.effect(
  ArchiveAnalytics,
  Effect.map(ClickArchive, (archive) => ({
    over: (cut, hot) =>
      ClickAnalyticsMemory.make({
        stream: (filter) =>
          Stream.concat(
            archive.read(cut, filter, {}),
            Stream.fromArray(hot.filter((click) => matches(filter, click)))
          )
      })
  }))
)
