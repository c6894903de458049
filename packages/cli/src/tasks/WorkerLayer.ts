import * as TaskLeasesSql from "@clicks/sql-adapter/tasks/TaskLeasesSql"
import * as WebSources from "@clicks/worker/stores/WebSources"
import * as CrawlScheduler from "@clicks/worker/tasks/CrawlScheduler"
import { storeHandlers } from "@clicks/worker/tasks/storeHandlers"
import * as TaskJanitor from "@clicks/worker/tasks/TaskJanitor"
import * as TaskWorker from "@clicks/worker/tasks/TaskWorker"
import { Layer, Option } from "effect"
import * as Archive from "../Archive.ts"
import * as Database from "../Database.ts"
import { withSettings } from "../settings/Settings.ts"

const sources = withSettings(({ crawlAllowPrivate, discoveryUrl }) =>
  WebSources.layer({
    directoryUrl: Option.fromNullishOr(discoveryUrl),
    allowPrivate: crawlAllowPrivate
  })
)

const worker = withSettings(({ maxConcurrentTasks }) =>
  TaskWorker.layer(storeHandlers, { maxConcurrentTasks })
)

/** A worker with scheduler, janitor and mover, on a given database. Drains when its scope closes. */
export const onDatabase = Layer.mergeAll(
  worker,
  CrawlScheduler.layer(),
  TaskJanitor.layer,
  Archive.mover
).pipe(Layer.provide([sources, TaskLeasesSql.layer]), Layer.provide(Database.ports))

/** The same worker on the database of the settings. */
export const layer = onDatabase.pipe(Layer.provide(Database.migrated))
