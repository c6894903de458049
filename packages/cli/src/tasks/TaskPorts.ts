import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import * as CrawlSchedulesSql from "@clicks/sql-adapter/tasks/CrawlSchedulesSql"
import * as TaskQueueSql from "@clicks/sql-adapter/tasks/TaskQueueSql"
import { Layer } from "effect"
import * as Database from "../Database.ts"

/** What is asked about tasks and schedules. */
export const ports = Layer.mergeAll(TaskQueueSql.layer, CrawlSchedulesSql.layer, TaskKinds.layer)

/** The same, on the database of the settings. */
export const layer = ports.pipe(Layer.provide(Database.migrated))
