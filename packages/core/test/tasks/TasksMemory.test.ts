import * as CrawlSchedules from "../contract/tasks/CrawlSchedulesContract.ts"
import * as TaskLeases from "../contract/tasks/TaskLeasesContract.ts"
import * as TaskQueue from "../contract/tasks/TaskQueueContract.ts"
import * as TasksMemory from "../contract/tasks/TasksMemory.ts"

TaskQueue.suite("memory", TasksMemory.layer)
TaskLeases.suite("memory", TasksMemory.layer)
CrawlSchedules.suite("memory", TasksMemory.layer)
