/** One observed run of a strategy on tapes in memory: nothing is written, and only prepared data is read. */
import type { Decimal } from '../../domain/decimal.ts'
import type { StrategyError } from '../../domain/errors.ts'
import { runBacktest } from '../../runtime/backtest/backtest.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import type { BacktestResult } from '../../runtime/backtest/simulated-run.ts'
import { plotRowOf, type NoteRow, type PlotRow } from '../../runtime/session/plot-commands.ts'
import type { LoadedStrategy } from '../../runtime/strategies/strategy-file.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import type { ExchangeFault } from '../faults/exchange-fault.ts'
import { FaultyExchange } from '../faults/faulty-exchange.ts'
import { type TrialEvent, type Watch, watchedStrategy } from './watched-strategy.ts'

export interface TrialOptions extends Omit<Watch, 'onEvent'> {
  /** Faults of the exchange; default: none. */
  readonly faults?: readonly ExchangeFault[] | undefined
  /** Wrapper of each piece of the run in which the strategy executes. */
  readonly within?: ((stretch: () => void) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TrialResult {
  /** Everything in its order. */
  readonly events: readonly TrialEvent[]
  /** Each order in its last state, with its fee. */
  readonly orders: readonly { readonly order: OwnOrder; readonly fee: Decimal }[]
  readonly fills: readonly OwnFill[]
  readonly logs: readonly { readonly time: number; readonly message: string }[]
  readonly plots: readonly PlotRow[]
  readonly notes: readonly NoteRow[]
  readonly failure: StrategyError | undefined
  readonly result: BacktestResult
}

/**
 * @param prepared  with a strategy of any kind: `strategy` is what runs
 * @throws {InputError} when it asks for what the tapes do not have
 */
export async function runTrial(
  prepared: PreparedBacktest,
  strategy: Strategy,
  { faults = [], within, signal, ...watch }: TrialOptions = {},
): Promise<TrialResult> {
  const events: TrialEvent[] = []
  const orders: { order: OwnOrder; fee: Decimal }[] = []
  const fills: OwnFill[] = []
  const logs: { time: number; message: string }[] = []
  const plots: PlotRow[] = []
  const notes: NoteRow[] = []
  const watched = watchedStrategy(strategy, { ...watch, onEvent: (event) => void events.push(event) })
  const loaded: LoadedStrategy = { ...prepared.loaded, strategy: watched }
  const result = await runBacktest(
    { ...prepared, loaded },
    {
      onLines: () => undefined,
      onOrder: (order, fee) => void orders.push({ order, fee }),
      onFill: (fill) => void fills.push(fill),
      onPlot: (plot) => void plots.push(plotRowOf(plot)),
      onNote: (note) => void notes.push(note),
      onLog: (time, message) => void logs.push({ time, message }),
    },
    signal,
    { adapterOf: (adapter) => (faults.length === 0 ? adapter : new FaultyExchange(adapter, faults)), within },
  )
  return { events, orders, fills, logs, plots, notes, failure: result.failure, result }
}
