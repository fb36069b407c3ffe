/** The events of a backtest as an async iterator. */
import type { z } from 'zod'
import type { NoteRow, PlotRow } from '../runtime/session/plot-commands.ts'
import type { BacktestOptions, BacktestProgress } from './backtest-options.ts'
import { backtestReported, type BacktestRun } from './backtest.ts'
import { eventsOf } from './run-events.ts'
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
export function backtestEvents<Schema extends z.ZodObject>(
  options: BacktestOptions<Schema>,
): AsyncGenerator<BacktestEvent, void, undefined> {
  const { onProgress, onLog } = options
  return eventsOf<BacktestEvent, BacktestRun>({
    signal: options.signal,
    begin: (push, signal) =>
      backtestReported(
        {
          keepRows: false,
          ...options,
          signal,
          onProgress: (progress) => {
            onProgress?.(progress)
            push({ type: 'progress', progress })
          },
          onLog: (time, message) => {
            onLog?.(time, message)
            push({ type: 'log', time, message })
          },
        },
        {
          onOrder: (order) => {
            push({ type: 'order', order })
          },
          onFill: (fill) => {
            push({ type: 'fill', fill })
          },
          onPlot: (plot) => {
            push({ type: 'plot', plot })
          },
          onNote: (note) => {
            push({ type: 'note', note })
          },
        },
      ),
    last: (run) => ({ type: 'end', run }),
  })
}
