/**
 * Runs points in threads of this process, one at a time in each.
 *
 * Invariant: the assignment of points to threads affects only time. A thread that a strategy has ended is replaced.
 */
import { liquidityOf } from '../../runtime/backtest/liquidity-choice.ts'
import { AbortError, InputError, throwIfAborted } from '../../domain/errors.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { PointPool } from '../../sweep/point-pool.ts'
import type { SweepPoint } from '../../sweep/sweep-point.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'
import { PointThread } from './point-thread.ts'
import type { SweepCode } from './point-runner.ts'
import type { SweepSetup } from './sweep-thread.ts'

/** Sanity limit. */
export const MAX_WORKERS = 256

export interface ThreadPoolOptions {
  readonly setup: SweepSetup
  /** Number of threads, at least 1. */
  readonly workers: number
  /** Maximum duration of a turn of a strategy, in seconds. */
  readonly turnLimit: TurnLimit
}

export class ThreadPool implements PointPool {
  readonly #options: ThreadPoolOptions
  readonly #idle: PointThread[]
  readonly #all = new Set<PointThread>()
  /** Time zone of the process outside of runs. */
  readonly #zone: string | undefined
  #isEnded = false

  /** Code loaded by the first thread. */
  readonly code: SweepCode

  private constructor(options: ThreadPoolOptions, first: PointThread, code: SweepCode, zone: string | undefined) {
    this.#zone = zone
    this.#options = options
    this.#idle = [first]
    this.#all.add(first)
    this.code = code
  }

  /**
   * Starts the first thread, which loads the code of the sweep.
   *
   * @throws {InputError} if no point can run with these settings
   */
  static async open(options: ThreadPoolOptions): Promise<ThreadPool> {
    const zone = process.env.TZ
    // Node has no time zone per thread: a thread inherits that of the process when it starts.
    process.env.TZ = 'UTC'
    const first = new PointThread(options.setup, options.turnLimit)
    try {
      const pool = new ThreadPool(options, first, await first.open(options.setup), zone)
      return pool
    } catch (error) {
      await first.end()
      throw error
    } finally {
      restoreZone(zone)
    }
  }

  async run(
    points: readonly SweepPoint[],
    onOutcome: (outcome: PointOutcome) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    throwIfAborted(signal)
    if (this.#isEnded) throw new Error('a pool that has ended runs nothing')
    const queue = points.values()
    const stop = (): void => void this.end()
    signal?.addEventListener('abort', stop)
    process.env.TZ = 'UTC'
    try {
      const count = Math.min(this.#options.workers, points.length)
      await Promise.all(Array.from({ length: count }, () => this.#work(queue, onOutcome)))
      throwIfAborted(signal)
    } catch (error) {
      await this.end()
      throwIfAborted(signal)
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      restoreZone(this.#zone)
    }
  }

  async #work(queue: Iterator<SweepPoint>, onOutcome: (outcome: PointOutcome) => void): Promise<void> {
    let thread = await this.#thread()
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      if (thread.isGone) thread = await this.#thread()
      const outcome = await thread.run(next.value)
      if (this.#isEnded) throw new AbortError('the pool was ended')
      onOutcome(outcome)
    }
    if (!thread.isGone) this.#idle.push(thread)
  }

  /** An idle thread, or a new one. */
  async #thread(): Promise<PointThread> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) if (!idle.isGone) return idle
    if (this.#isEnded) throw new AbortError('the pool was ended')
    for (const thread of this.#all) if (thread.isGone) this.#all.delete(thread)
    const { setup, turnLimit } = this.#options
    const thread = new PointThread(setup, turnLimit)
    this.#all.add(thread)
    const { strategy, liquiditySha256 } = await thread.open(setup)
    if (strategy.sha256 !== this.code.strategy.sha256)
      throw new InputError(setup.settings.strategy, 'has changed since the sweep began')
    if (liquiditySha256 !== this.code.liquiditySha256)
      throw new InputError(liquidityOf(setup.settings), 'has changed since the sweep began')
    return thread
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(Array.from(this.#all, (thread) => thread.end()))
  }
}

function restoreZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
}
