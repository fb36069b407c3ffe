/**
 * Where a run goes while it goes on: its rows and journal into files, its progress and log onto the terminal.
 */
import type { Decimal } from '../../domain/decimal.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { isoTime } from '../../domain/time.ts'
import { EQUITY_HEADER, equityRow, FILLS_HEADER, fillRow, ORDERS_HEADER, orderRow } from '../../report/run/run-files.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import type { BacktestWatcher } from '../../runtime/backtest/backtest.ts'
import type { RecordedEquity } from '../../runtime/figures/recorded-equity.ts'
import type { RunDirectory } from '../../store/runs/run-directory.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { Progress } from './progress.ts'

export class RunOutput implements BacktestWatcher {
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #directory: RunDirectory | undefined
  readonly #progress: Progress | undefined
  readonly #log: (line: string) => void

  /** Without a directory or progress, nothing is written there. */
  constructor(
    markets: readonly Market[],
    directory: RunDirectory | undefined,
    progress: Progress | undefined,
    log: (line: string) => void,
  ) {
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#directory = directory
    this.#progress = progress
    this.#log = log
    directory?.append('orders.csv', ORDERS_HEADER)
    directory?.append('fills.csv', FILLS_HEADER)
    directory?.append('equity.csv', EQUITY_HEADER)
  }

  onLine(line: string): void {
    this.#directory?.append('journal.jsonl', `${line}\n`)
  }

  onOrder(order: OwnOrder, fee: Decimal): void {
    this.#directory?.append('orders.csv', orderRow(order, this.#market(order.symbol), fee))
  }

  onFill(fill: OwnFill): void {
    this.#directory?.append('fills.csv', fillRow(fill, this.#market(fill.symbol)))
  }

  onProgress(rows: number, time: number): void {
    this.#progress?.update(rows, time)
  }

  onLog(time: number, message: string): void {
    this.#progress?.clear()
    this.#log(`${isoTime(time)} ${message}`)
  }

  /** Completes the files. */
  finish(report: RunReport, equity: RecordedEquity): void {
    this.#progress?.clear()
    for (const sample of equity.samples) this.#directory?.append('equity.csv', equityRow(sample, equity.scale))
    this.#directory?.append('run.json', `${JSON.stringify(report, null, 2)}\n`)
    this.#directory?.commit()
  }

  /** Leaves no file behind. */
  abandon(): void {
    this.#progress?.clear()
    this.#directory?.discard()
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }
}
