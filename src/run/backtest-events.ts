/**
 * The events of a backtest as an async iterator, for consumers that take their time.
 *
 * Known limit: the run does not wait for the consumer, so pending events are buffered.
 */
import type { z } from 'zod'
import type { NoteRow, PlotRow } from '../runtime/session/plot-commands.ts'
import type { BacktestOptions, BacktestProgress } from './backtest-options.ts'
import { backtestReported, type BacktestRun } from './backtest.ts'
import type { FillRow, OrderRow } from '../runtime/figures/run-rows.ts'

/** Something that happened in a backtest. */
export type BacktestEvent =
  /** Progress; often during the run. */
  | {
      readonly type: 'progress'
      /** Progress so far. */
      readonly progress: BacktestProgress
    }
  /** An order finished, or was still open at the end. */
  | {
      readonly type: 'order'
      /** The order in its last state. */
      readonly order: OrderRow
    }
  /** An order was filled. */
  | {
      readonly type: 'fill'
      /** The fill, as the strategy received it. */
      readonly fill: FillRow
    }
  /** The strategy called `plot`. */
  | {
      readonly type: 'plot'
      /** The plotted value. */
      readonly plot: PlotRow
    }
  /** The strategy called `note`. */
  | {
      readonly type: 'note'
      /** The note. */
      readonly note: NoteRow
    }
  /** The strategy called `log`. */
  | {
      readonly type: 'log'
      /** Virtual Unix milliseconds. */
      readonly time: number
      /** The message. */
      readonly message: string
    }
  /** The run ended; the last event. */
  | {
      readonly type: 'end'
      /** The result, as `backtest` returns it. */
      readonly run: BacktestRun
    }

/**
 * Runs a strategy on recorded markets and yields its events: `for await (const event of backtestEvents(options))`.
 *
 * The run starts when you request the first event, and ends if you leave the loop. The result in the last event has no
 * rows, such as `orders` and `plots`, unless you set `keepRows`, because the events contain them, except `trips`.
 *
 * @throws {InputError} as `backtest`, at the first event
 * @throws {AbortError} when `signal` aborts
 */
export async function* backtestEvents<Schema extends z.ZodObject>(
  options: BacktestOptions<Schema>,
): AsyncGenerator<BacktestEvent, void, undefined> {
  const left = new AbortController()
  const { signal } = options
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  const queue = new EventLine()
  const run = begin({ keepRows: false, ...options, signal: either }, queue)
  // Awaited below, unless the consumer leaves the loop.
  run.catch(() => undefined)
  try {
    for (let event = await queue.next(); event !== undefined; event = await queue.next()) yield event
    yield { type: 'end', run: await run }
  } finally {
    left.abort()
    await run.catch(() => undefined)
  }
}

async function begin<Schema extends z.ZodObject>(
  options: BacktestOptions<Schema>,
  queue: EventLine,
): Promise<BacktestRun> {
  const { onProgress, onLog } = options
  try {
    return await backtestReported(
      {
        ...options,
        onProgress: (progress) => {
          onProgress?.(progress)
          queue.push({ type: 'progress', progress })
        },
        onLog: (time, message) => {
          onLog?.(time, message)
          queue.push({ type: 'log', time, message })
        },
      },
      {
        onOrder: (order) => queue.push({ type: 'order', order }),
        onFill: (fill) => queue.push({ type: 'fill', fill }),
        onPlot: (plot) => queue.push({ type: 'plot', plot }),
        onNote: (note) => queue.push({ type: 'note', note }),
      },
    )
  } finally {
    queue.end()
  }
}

/** Buffered events, and a consumer waiting for the next one. */
class EventLine {
  #waiting: BacktestEvent[] = []
  #taken = 0
  #isOver = false
  #wake: () => void = () => undefined

  push(event: BacktestEvent): void {
    this.#waiting.push(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Undefined at the end. */
  async next(): Promise<BacktestEvent | undefined> {
    while (this.#taken === this.#waiting.length) {
      this.#waiting = []
      this.#taken = 0
      if (this.#isOver) return undefined
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    this.#taken += 1
    return this.#waiting[this.#taken - 1]
  }
}
