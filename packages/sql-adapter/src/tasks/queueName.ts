/** The schema in which pg-boss keeps its tables. */
export const schema = "pgboss"

/** All tasks are in one queue of pg-boss, so that one fetch finds the most urgent of all kinds. */
export const queueName = "tasks"
