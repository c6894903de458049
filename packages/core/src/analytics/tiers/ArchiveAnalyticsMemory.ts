import { Effect, Layer, Stream } from "effect"
import { matches } from "../../clicks/ClickFilter.ts"
import { ClickArchive } from "../../clicks/tiers/ClickArchive.ts"
import * as ClickAnalyticsMemory from "../ClickAnalyticsMemory.ts"
import { ArchiveAnalytics } from "./ArchiveAnalytics.ts"

/** Works on any `ClickArchive` by reading every click that matches into memory, for tests. */
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
