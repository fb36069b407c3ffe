/**
 * Heartbeat of a thread that runs user code: a counter in shared memory, which another thread can read even if this one
 * is in an endless loop.
 *
 * There is one per thread, like its virtual environment. Until it is shared, it is not watched.
 */

/** Stage of the thread: `ours` runs no user code (unless loaded code has left a timer); `waiting` is not watched. */
const STAGES = ['ours', 'loading', 'running', 'waiting'] as const

export type Stage = (typeof STAGES)[number]

const TIME_AT = 8

export class Heartbeat {
  /** Size in shared memory, a multiple of 8. */
  static readonly BYTES = 16

  /** Virtual Unix milliseconds of the run, in its first cell. */
  readonly time: Float64Array
  readonly #numbers: Int32Array
  #count = 0

  /** @param at  byte offset, a multiple of 8 */
  constructor(memory: ArrayBufferLike, at = 0) {
    this.#numbers = new Int32Array(memory, at, 2)
    this.time = new Float64Array(memory, at + TIME_AT, 1)
  }

  /** Counts a finished event. Called for every event, so it costs a single store. */
  beat(): void {
    this.#count = (this.#count + 1) | 0
    this.#numbers[0] = this.#count
  }

  /** Changes with each beat. */
  get count(): number {
    return Atomics.load(this.#numbers, 0)
  }

  get stage(): Stage {
    return STAGES[Atomics.load(this.#numbers, 1)] ?? 'ours'
  }

  /** @returns the stage before */
  enter(stage: Stage): Stage {
    const before = this.stage
    Atomics.store(this.#numbers, 1, STAGES.indexOf(stage))
    this.beat()
    return before
  }
}

let own = new Heartbeat(new ArrayBuffer(Heartbeat.BYTES))
let report: (who: string) => void = () => undefined

/** The heartbeat of this thread. */
export const heartbeat = (): Heartbeat => own

/**
 * Moves the heartbeat of this thread to shared memory. Call once, before anything runs.
 * @param onWork  receives a description of the code that is about to be loaded or run
 */
export function shareHeartbeat(memory: SharedArrayBuffer, at: number, onWork: (who: string) => void): void {
  own = new Heartbeat(memory, at)
  report = onWork
}

/**
 * Loads or runs user code.
 * @param who  description for the watching thread
 */
export async function watchedWork<T>(stage: Stage, who: string, work: () => Promise<T>): Promise<T> {
  report(who)
  const before = own.enter(stage)
  try {
    return await work()
  } finally {
    // Loaded code may have left a timer.
    own.enter(before === 'waiting' ? 'ours' : before)
  }
}

/** Runs an action whose duration does not depend on the strategy. */
export function unwatched<T>(action: () => T): T {
  const before = own.enter('waiting')
  try {
    return action()
  } finally {
    own.enter(before)
  }
}
