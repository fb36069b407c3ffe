/**
 * Turns of the event loop for what many send: whoever sends much at once has a little of it done, and then others have
 * their turn.
 *
 * Invariant: the tasks of one sender are done in the order in which they came. A sender with tasks that wait is not
 * read, so that no more of them wait than came in one piece.
 */

/** What is done in one turn of the event loop: of one sender when it comes, and of everybody who waits. */
const TASKS = 32
/** After which no task is begun in that turn. */
const TASKS_MS = 4

/** Lets a sender be read, or not. */
export interface Gate {
  pause(): void
  resume(): void
  /** Ends him. */
  destroy(): void
}

export class FairScheduler {
  /** Senders with tasks that wait, and those that rest until the next turn; in the order of their turns. */
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

  /** Resolves when everything that waits now has had its turn. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, (sender) => sender.settled()))
  }

  /** Ends whoever waits for a turn, and does nothing of what they sent. */
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
      // One of each in turn: who still waits comes again behind the others.
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

/** Somebody who sends, and the tasks that come of it. */
export class Sender {
  readonly #turns: FairScheduler
  readonly #gate: Gate
  readonly #tasks: (() => void)[] = []
  #isPaused = false
  #hasLeft = false
  #turn = -1
  /** Of this turn. */
  #count = 0
  #began = 0

  constructor(turns: FairScheduler, gate: Gate) {
    this.#turns = turns
    this.#gate = gate
  }

  /** Whether it is not to be read now. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Does a task now, or when it is this sender's turn. */
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

  /** Reads no more before others had their turn. */
  rest(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    if (!this.#hasLeft) this.#gate.pause()
    this.#turns.wait(this)
  }

  /** Ends it, whatever it has sent. */
  cut(): void {
    this.#tasks.length = 0
    if (!this.#hasLeft) this.#gate.destroy()
  }

  /** Whoever reads it now is somebody else: its gate is left alone. */
  leave(): void {
    this.#hasLeft = true
  }

  /** Does the first task. @returns whether another waits */
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
