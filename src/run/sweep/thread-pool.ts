/**
 * Runs points in threads of this process, one at a time in each.
 *
 * Invariant: the assignment of points to threads affects only time. A thread that a strategy has ended is replaced.
 */
import { basename } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { AbortError, InputError, throwIfAborted } from '../../domain/errors.ts'
import { liquidityOf } from '../../runtime/backtest/liquidity-choice.ts'
import { Heartbeat } from '../../runtime/heartbeat.ts'
import { threadPlace } from '../../runtime/thread-place.ts'
import { EXIT_TEXT, threadFaultText, workText } from '../../runtime/thread-text.ts'
import { type TurnLimit, TurnWatch } from '../../runtime/turn-watch.ts'
import type { PointOutcome, PointPool } from '../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../sweep/sweep-point.ts'
import { failedPoint, lostPoint, type SweepCode } from './point-runner.ts'
import type { PointThreadData, SweepSetup, ThreadAnswer, ThreadRequest } from './sweep-thread.ts'

const MIB = 2 ** 20
/** Twice Node's default, which would cost an eighth of the time: most objects of a run are short-lived. */
const YOUNG_MIB = 96
const LOOK_MS = 1000
/** How long the end of a thread is waited for. */
const END_MS = 5000

// Taken now, because a run of this thread puts its own in the place of the global ones.
/* eslint-disable papertape/no-clock -- looks at a thread while it runs; no result rests on it */
const { setInterval: everyMs, clearInterval: stopLooking, setTimeout: afterMs, clearTimeout: stopWaiting } = globalThis

/* eslint-enable papertape/no-clock */
/** A thread that is not there any more, and why. */
interface Gone {
  readonly type: 'gone'
  readonly text: string
}

/**
 * One thread that runs points, and is watched: a strategy that never ends its turn, ends the thread, or takes all
 * memory, costs its own point alone.
 *
 * Known limit: what blocks the thread in the system, such as a program that a strategy starts and waits for, is not
 * ended before the process is.
 */
class PointThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #pulse: Heartbeat
  readonly #limit: TurnLimit
  readonly #who: string
  readonly #looks: NodeJS.Timeout
  #isGone = false
  #answer: ((answer: ThreadAnswer | Gone) => void) | undefined
  /** Exit reported before anyone waited for it. */
  #said: Gone | undefined

  constructor({ settings }: Pick<SweepSetup, 'settings'>, limit: TurnLimit) {
    const memory = new SharedArrayBuffer(Heartbeat.BYTES)
    const { port1, port2 } = new MessageChannel()
    const workerData: PointThreadData = { port: port2, memory }
    this.#limit = limit
    this.#who = settings.strategy
    this.#pulse = new Heartbeat(memory)
    this.#pulse.enter('waiting')
    this.#port = port1
    const entry = import.meta.url.replace(/thread-pool(\.[jt]s)$/, 'sweep-thread-entry$1')
    this.#worker = new Worker(new URL(entry), {
      workerData,
      transferList: [port2],
      // Those of the process may be for its own first file, as of `node --eval`.
      execArgv: [],
      // Discards the output of strategies, which a thousand points would repeat.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MIB),
        maxYoungGenerationSizeMb: YOUNG_MIB,
      },
    })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('error', (error) => this.#leave(threadFaultText(error)))
    this.#worker.on('exit', () => this.#leave(EXIT_TEXT))
    this.#port.on('message', (answer: ThreadAnswer) => this.#report(answer))
    const watch = new TurnWatch(this.#pulse)
    this.#looks = everyMs(() => this.#look(watch), LOOK_MS)
    // A point that is asked for keeps the process; a thread that waits does not.
    this.#worker.unref()
    this.#port.unref()
    this.#looks.unref()
  }

  /** True when it has ended, by itself or by us. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Loads the code of the sweep. @throws {InputError} for what no point could be run with */
  async open(setup: SweepSetup): Promise<SweepCode> {
    const answer = await this.#ask({ type: 'open', setup })
    if (answer.type === 'opened') return answer.code
    if (answer.type === 'refused') throw InputError.ofPlain(answer.error)
    if (answer.type === 'gone') throw new InputError(this.#who, answer.text)
    throw new Error(answer.type === 'broken' ? answer.text : `an answer '${answer.type}' to open`)
  }

  /** @returns also when the strategy ended the thread: the error of the outcome says how */
  async run(point: SweepPoint): Promise<PointOutcome> {
    // From here on, so that a thread which what a strategy left running has blocked is found too.
    this.#pulse.enter('ours')
    const answer = await this.#ask({ type: 'run', point })
    this.#pulse.enter('waiting')
    if (answer.type === 'done') return answer.outcome
    if (answer.type === 'gone') return lostPoint(point, answer.text)
    if (answer.type === 'refused') return failedPoint(point, InputError.ofPlain(answer.error).message)
    throw new Error(answer.type === 'broken' ? answer.text : `an answer '${answer.type}' to a point`)
  }

  async end(): Promise<void> {
    this.#leave('ended')
    await this.#terminate()
  }

  async #ask(ask: ThreadRequest): Promise<ThreadAnswer | Gone> {
    if (this.#said !== undefined) return this.#said
    const answered = new Promise<ThreadAnswer | Gone>((resolve) => {
      this.#answer = resolve
    })
    this.#worker.ref()
    this.#port.ref()
    try {
      this.#port.postMessage(ask)
      return await answered
    } finally {
      this.#answer = undefined
      this.#worker.unref()
      this.#port.unref()
    }
  }

  #report(answer: ThreadAnswer | Gone): void {
    this.#answer?.(answer)
  }

  #leave(text: string): void {
    if (this.#isGone) return
    this.#isGone = true
    stopLooking(this.#looks)
    this.#said = { type: 'gone', text }
    this.#report(this.#said)
  }

  #look(watch: TurnWatch): void {
    if (watch.look(this.#limit) !== 'over' || this.#isGone) return
    const doing = workText(this.#pulse, watch.isCircling)
    stopLooking(this.#looks)
    void threadPlace(this.#worker.threadId).then(async (place) => {
      const where = place === undefined ? '' : ` (${basename(place)})`
      this.#leave(`${doing} did not end within ${this.#limit} s${where}`)
      await this.#terminate()
    })
  }

  async #terminate(): Promise<void> {
    const ended = this.#worker.terminate()
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise((resolve) => {
      timer = afterMs(resolve, END_MS)
    })
    await Promise.race([ended, waited])
    stopWaiting(timer)
  }
}

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
