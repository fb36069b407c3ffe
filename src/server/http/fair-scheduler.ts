/**
 * Fair scheduler: a round-robin of the senders over turns of the event loop.
 *
 * Invariant: the tasks of one sender are executed in order. A sender with waiting tasks is not read, so that no more
 * tasks wait than arrived in one chunk.
 */

/** Maximum number of tasks per turn of the event loop: for one sender on arrival, and for all waiting senders. */
const TASKS = 32
/** Maximum time after which no more tasks start in a turn. */
const TASKS_MS = 4

/** Controls reading from a sender. */
export interface Gate {
  pause(): void
  resume(): void
  /** Closes the connection. */
  destroy(): void
}

export class FairScheduler {
  /** Senders with waiting tasks, and those paused until the next turn, in order. */
  readonly #waiting = new Set<Sender>()
  #turn = 0
  #isNextSet = false

  sender(gate: Gate): Sender {
    return new Sender(this, gate)
  }

  /** Number of this turn. */
  now(): number {
    this.#setNext()
    return this.#turn
  }

  wait(sender: Sender): void {
    this.#waiting.add(sender)
    this.#setNext()
  }

  /** Resolves when everything that waits now has been executed. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, (sender) => sender.settled()))
  }

  /** Closes all waiting senders, and drops their tasks. */
  cut(): void {
    for (const sender of this.#waiting) sender.cut()
    this.#waiting.clear()
  }

  #setNext(): void {
    if (this.#isNextSet) return
    this.#isNextSet = true
    setImmediate(() => {
      this.#isNextSet = false
      this.#turn += 1
      this.#next()
    })
  }

  #next(): void {
    const end = performance.now() + TASKS_MS
    let left = TASKS
    try {
      // One task per sender; a sender with more tasks goes to the end of the queue.
      for (const sender of this.#waiting) {
        this.#waiting.delete(sender)
        if (sender.step()) this.#waiting.add(sender)
        left -= 1
        if (left === 0 || performance.now() >= end) return
      }
    } finally {
      if (this.#waiting.size > 0) this.#setNext()
    }
  }
}

/** A sender and its tasks. */
export class Sender {
  readonly #turns: FairScheduler
  readonly #gate: Gate
  readonly #tasks: (() => void)[] = []
  #isPaused = false
  #hasLeft = false
  #turn = -1
  /** Tasks of this turn. */
  #count = 0
  #began = 0

  constructor(turns: FairScheduler, gate: Gate) {
    this.#turns = turns
    this.#gate = gate
  }

  /** True while it must not be read. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Executes a task now, or in the sender's turn. */
  run(task: () => void): void {
    if (this.#isPaused || !this.#mayRun()) {
      this.#tasks.push(task)
      this.rest()
    } else task()
  }

  /** Resolves when every task that waits now is done. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#tasks.length === 0) resolve()
      else this.#tasks.push(resolve)
    })
  }

  /** Stops reading until others had their turn. */
  rest(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    if (!this.#hasLeft) this.#gate.pause()
    this.#turns.wait(this)
  }

  /** Closes it, and drops its tasks. */
  cut(): void {
    this.#tasks.length = 0
    if (!this.#hasLeft) this.#gate.destroy()
  }

  /** Somebody else reads the connection now: its gate is no longer used. */
  leave(): void {
    this.#hasLeft = true
  }

  /** Executes the first task. @returns true if another one waits */
  step(): boolean {
    try {
      this.#tasks.shift()?.()
    } finally {
      if (this.#tasks.length === 0) this.#resume()
    }
    return this.#tasks.length > 0
  }

  #resume(): void {
    this.#isPaused = false
    if (!this.#hasLeft) this.#gate.resume()
  }

  #mayRun(): boolean {
    const turn = this.#turns.now()
    if (turn !== this.#turn) {
      this.#turn = turn
      this.#count = 0
      this.#began = performance.now()
    }
    this.#count += 1
    return this.#count === 1 || (this.#count <= TASKS && performance.now() - this.#began < TASKS_MS)
  }
}
