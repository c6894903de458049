import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import type { Fiber } from "effect"

/** A task that this worker holds, and the fiber that does it. */
export interface HeldTask {
  readonly lease: TaskLease
  /** Undefined for the moment before it begins. */
  fiber: Fiber.Fiber<void> | undefined
  /** When the queue was last known to hold it for this worker, in milliseconds of the monotonic clock. */
  renewedAt: number
}

/** The tasks that this worker holds: never more than it has slots. */
export class HeldTasks {
  readonly slots: number
  readonly #tasks = new Map<string, HeldTask>()
  // Handlers of tasks that are not held any more take their slot until they have really ended.
  #leaving = 0

  constructor(slots: number) {
    this.slots = slots
  }

  get size(): number {
    return this.#tasks.size
  }

  get free(): number {
    return this.slots - this.#tasks.size - this.#leaving
  }

  all(): ReadonlyArray<HeldTask> {
    return Array.from(this.#tasks.values())
  }

  get(id: string): HeldTask | undefined {
    return this.#tasks.get(id)
  }

  isHeld({ attempt, id }: TaskLease): boolean {
    return this.#tasks.get(id)?.lease.attempt === attempt
  }

  add(task: HeldTask): void {
    this.#tasks.set(task.lease.id, task)
  }

  /** Lets it go, while its handler goes on for a moment. The returned function says that it has ended. */
  leave(lease: TaskLease): () => void {
    this.remove(lease)
    this.#leaving++
    return () => {
      this.#leaving--
    }
  }

  /** False when it was not held, or already in another attempt. */
  remove(lease: TaskLease): boolean {
    return this.isHeld(lease) && this.#tasks.delete(lease.id)
  }
}
