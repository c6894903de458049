import * as TasksMemory from "../../src/tasks/TasksMemory.ts"
import * as CrawlSchedules from "../contract/CrawlSchedulesContract.ts"
import * as TaskLeases from "../contract/TaskLeasesContract.ts"
import * as TaskQueue from "../contract/TaskQueueContract.ts"

TaskQueue.suite("memory", TasksMemory.layer)
TaskLeases.suite("memory", TasksMemory.layer)
CrawlSchedules.suite("memory", TasksMemory.layer)
