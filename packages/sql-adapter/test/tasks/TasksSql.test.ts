import { Layer } from "effect"
import * as CrawlSchedules from "../../../core/test/contract/tasks/CrawlSchedulesContract.ts"
import * as TaskLeases from "../../../core/test/contract/tasks/TaskLeasesContract.ts"
import * as TaskQueue from "../../../core/test/contract/tasks/TaskQueueContract.ts"
import * as CrawlSchedulesSql from "../../src/tasks/CrawlSchedulesSql.ts"
import * as TaskLeasesSql from "../../src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const tasks = Layer.mergeAll(TaskQueueSql.layer, TaskLeasesSql.layer, CrawlSchedulesSql.layer).pipe(
  Layer.provide(TestDatabase.layer)
)

TaskQueue.suite("PostgreSQL", tasks)
TaskLeases.suite("PostgreSQL", tasks)
CrawlSchedules.suite("PostgreSQL", tasks)
