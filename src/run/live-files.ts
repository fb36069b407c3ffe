/**
 * The files of a session in real time: journal, orders and fills are in their files at once, the equity and the report come at its end.
 */
import type { Decimal } from '../domain/decimal.ts'
import { InvariantError, type Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { EQUITY_HEADER, equityRow, FILLS_HEADER, fillRow, ORDERS_HEADER, orderRow } from '../report/run/run-files.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { RecordedEquity } from '../runtime/figures/recorded-equity.ts'
import type { RunSink } from '../runtime/figures/run-record.ts'
import { KeptRunDirectory } from '../store/runs/kept-run-directory.ts'
import type { OwnFill, OwnOrder } from '../strategy/own-order.ts'

export class LiveFiles implements RunSink {
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #directory: KeptRunDirectory

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when nothing can be written there, or when it holds a run already
   */
  constructor(where: Place, path: string, markets: readonly Market[]) {
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#directory = new KeptRunDirectory(where, path)
    this.#directory.append('orders.csv', ORDERS_HEADER)
    this.#directory.append('fills.csv', FILLS_HEADER)
  }

  get path(): string {
    return this.#directory.path
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

  /** Completes the files. @throws {InputError} when one cannot be written */
  finish(report: RunReport, equity: RecordedEquity): void {
    const rows = equity.samples.map((sample) => equityRow(sample, equity.scale))
    this.#directory.put('equity.csv', EQUITY_HEADER + rows.join(''))
    this.#directory.put('run.json', `${JSON.stringify(report, null, 2)}\n`)
    this.#directory.close()
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }
}
