/**
 * Second thread of a backtest, which does one bounding run while the first thread does the other.
 *
 * Invariant: a run has the same result in both threads. If this thread fails for any reason, such as an early exit,
 * lack of memory or a changed file, the first thread does the run.
 */
import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { BoundingRun, BoundName, BoundsElsewhere } from '../../runtime/backtest/liquidity-bounds.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import type { SingleJob } from './thread-messages.ts'
import { muted } from './thread-messages.ts'

const MIB = 2 ** 20

/** Request for a bounding run. */
export type BoundsJob = Pick<PreparedBacktest, 'settings' | 'inspected' | 'inspectedBooks' | 'inspectedSeries'> & {
  readonly name: BoundName
  /** Hash of the strategy. */
  readonly sha256: string | null
}

/** Start data of the thread. */
export interface BoundsThreadData {
  /** Removed before any user code is loaded. */
  port?: MessagePort
  /** Shared memory of the heartbeats of both threads. */
  readonly memory: SharedArrayBuffer
}

export interface BoundsAnswer {
  readonly run: BoundingRun | null | undefined
}

/** Below this many rows, the first thread replays the tape faster than a second one starts. */
export const MIN_ROWS = 5_000

/** @returns undefined on a single processor, or if no bounds are requested */
export function boundsThreadFor(job: SingleJob, memory: SharedArrayBuffer): BoundsThread | undefined {
  const isWanted = job.command === 'backtest' && job.values.bounds !== false
  return isWanted && availableParallelism() > 1 ? new BoundsThread(memory) : undefined
}

class BoundsThread implements BoundsElsewhere {
  readonly #memory: SharedArrayBuffer
  /** Started by the first run that is long enough. */
  #started: { readonly worker: Worker; readonly port: MessagePort } | undefined
  #isGone = false
  #answer: (run: BoundingRun | null | undefined) => void = () => undefined

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory
  }

  async run(prepared: PreparedBacktest, name: BoundName): Promise<BoundingRun | null | undefined> {
    const { settings, inspected, inspectedBooks, inspectedSeries, loaded } = prepared
    const rows = [...inspected, ...inspectedBooks].reduce((sum, { info }) => sum + info.rows, 0)
    if (this.#isGone || rows < MIN_ROWS) return undefined
    const { worker, port } = (this.#started ??= this.#start())
    const answered = new Promise<BoundingRun | null | undefined>((resolve) => {
      this.#answer = resolve
    })
    const job: BoundsJob = { settings, inspected, inspectedBooks, inspectedSeries, name, sha256: loaded.sha256 }
    worker.ref()
    port.ref()
    try {
      port.postMessage(job)
      return await answered
    } finally {
      worker.unref()
      port.unref()
    }
  }

  quietly<T>(action: () => Promise<T>): Promise<T> {
    return muted(action)
  }

  async end(): Promise<void> {
    await this.#started?.worker.terminate()
  }

  #start(): { readonly worker: Worker; readonly port: MessagePort } {
    const { port1: port, port2 } = new MessageChannel()
    const workerData: BoundsThreadData = { port: port2, memory: this.#memory }
    const entry = import.meta.url.replace(/thread\/bounds-thread(\.[jt]s)$/, 'bounds-thread-entry$1')
    const worker = new Worker(new URL(entry), {
      workerData,
      transferList: [port2],
      argv: process.argv.slice(2),
      // The same as in the main thread.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MIB) },
    })
    worker.on('error', () => this.#leave())
    worker.on('exit', () => this.#leave())
    port.on('message', ({ run }: BoundsAnswer) => this.#answer(run))
    // Keeps the process alive only during a run.
    worker.unref()
    port.unref()
    return { worker, port }
  }

  #leave(): void {
    this.#isGone = true
    this.#answer(undefined)
  }
}
