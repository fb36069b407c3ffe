/**
 * The files of a run, written while it goes on: its rows and its journal, and its report at the end.
 */
import type { Decimal } from '../domain/decimal.ts'
import { InvariantError, type Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { EQUITY_HEADER, equityRow, FILLS_HEADER, fillRow, ORDERS_HEADER, orderRow } from '../report/run/run-files.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { RecordedEquity } from '../runtime/figures/recorded-equity.ts'
import type { RunSink } from '../runtime/figures/run-record.ts'
import { RunDirectory } from '../store/runs/run-directory.ts'
import type { OwnFill, OwnOrder } from '../strategy/own-order.ts'

export class RunFiles implements RunSink {
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #directory: RunDirectory

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when nothing can be written there
   */
  constructor(where: Place, path: string, markets: readonly Market[]) {
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#directory = new RunDirectory(where, path)
    this.#directory.append('orders.csv', ORDERS_HEADER)
    this.#directory.append('fills.csv', FILLS_HEADER)
    this.#directory.append('equity.csv', EQUITY_HEADER)
  }

  onLine(line: string): void {
    this.#directory.append('journal.jsonl', `${line}\n`)
  }

  onOrder(order: OwnOrder, fee: Decimal): void {
    this.#directory.append('orders.csv', orderRow(order, this.#market(order.symbol), fee))
  }

  onFill(fill: OwnFill): void {
    this.#directory.append('fills.csv', fillRow(fill, this.#market(fill.symbol)))
  }

  /** Completes the files. @throws {InputError} when one cannot be written; then none is there */
  finish(report: RunReport, equity: RecordedEquity): void {
    for (const sample of equity.samples) this.#directory.append('equity.csv', equityRow(sample, equity.scale))
    this.#directory.append('run.json', `${JSON.stringify(report, null, 2)}\n`)
    this.#directory.commit()
  }

  /** Leaves no file behind. */
  abandon(): void {
    this.#directory.discard()
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }
}
