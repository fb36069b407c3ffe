/**
 * The heartbeat of a thread that runs code of others: it stands in memory that another thread sees too, so that it can
 * be looked at while the thread is in a loop that never ends.
 *
 * One for a thread, as its virtual world is. Until it is shared, nobody looks at it.
 */

/**
 * `ours` is whatever runs no code of others, unless some that was loaded has left a timer; `waiting` is not watched.
 */
const STAGES = ['ours', 'loading', 'running', 'waiting'] as const

export type Stage = (typeof STAGES)[number]

const TIME_AT = 8

export class Heartbeat {
  /** Bytes of memory that it takes, a multiple of 8. */
  static readonly BYTES = 16

  /** Virtual Unix milliseconds of what happens in the run, in its first cell. */
  readonly time: Float64Array
  readonly #numbers: Int32Array
  #count = 0

  /** @param at  byte from which on it stands there, a multiple of 8 */
  constructor(memory: ArrayBufferLike, at = 0) {
    this.#numbers = new Int32Array(memory, at, 2)
    this.time = new Float64Array(memory, at + TIME_AT, 1)
  }

  /** Says that something has ended. Called for every event: no more than one store. */
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
let tell: (who: string) => void = () => undefined

/** That of this thread. */
export const heartbeat = (): Heartbeat => own

/**
 * Puts the heartbeat of this thread into memory that others see. Once, before anything runs.
 *
 * @param onWork  hears whose code is about to be loaded or run
 */
export function shareHeartbeat(memory: SharedArrayBuffer, at: number, onWork: (who: string) => void): void {
  own = new Heartbeat(memory, at)
  tell = onWork
}

/**
 * Loads or runs code of others.
 *
 * @param who  in words, for whoever watches
 */
export async function watchedWork<T>(stage: Stage, who: string, work: () => Promise<T>): Promise<T> {
  tell(who)
  const before = own.enter(stage)
  try {
    return await work()
  } finally {
    own.enter(before)
  }
}

/** Does something that takes as long as it takes, whatever the strategy. */
export function unwatched<T>(action: () => T): T {
  const before = own.enter('waiting')
  try {
    return action()
  } finally {
    own.enter(before)
  }
}
