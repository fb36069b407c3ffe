/**
 * Generates the files of a run for a consumer: the files themselves, or a comparison with existing ones.
 *
 * Invariant: the journal's first line comes first, so a consumer that cannot write it has written nothing.
 */
import type { RoundTrip } from '../analysis/round-trip.ts'
import type { Decimal } from '../domain/decimal.ts'
import { InvariantError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { candleBlockRows, CANDLE_BLOCKS_HEADER } from '../report/run/candle-blocks.ts'
import { DEPTH_HEADER, depthRows } from '../report/run/depth-rows.ts'
import {
  CANDLES_HEADER,
  candleRow,
  equityHeader,
  equityRow,
  FILLS_HEADER,
  fillRow,
  NOTES_HEADER,
  noteRow,
  ORDERS_HEADER,
  orderRow,
  periodRow,
  TRIPS_HEADER,
  tripRow,
  refusedRow,
} from '../report/run/run-files.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { MAX_SHORT_CANDLES } from '../runtime/figures/market-candles.ts'
import type { RunSink } from '../runtime/figures/run-record.ts'
import type { NoteRow, PlotPoint } from '../runtime/session/plot-commands.ts'
import type { RefusedRequest } from '../runtime/session/refused-request.ts'
import type { RunFileName } from '../store/runs/run-file-names.ts'
import type { OwnFill, OwnOrder } from '../strategy/own-order.ts'
import { PlotFiles } from './plot-files.ts'

/** Appends complete lines to a file. */
type Append = (name: RunFileName, text: string) => void

export class RunWriter implements RunSink {
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #append: Append
  readonly #drawnNames = new Set<RunFileName>()
  readonly #plots: PlotFiles
  #isBegun = false

  /** @param maxPlotRows  maximum number of values in plots.csv; default: all, each written when it comes */
  constructor(markets: readonly Market[], append: Append, maxPlotRows = Infinity) {
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#append = append
    this.#plots = new PlotFiles((...rows) => {
      this.#drawn(...rows)
    }, maxPlotRows)
  }

  /** @param text  of whole lines; at first of the first line, or of the first lines */
  onLines(text: string): void {
    this.#append('journal.jsonl', text)
    if (!this.#isBegun) this.begin()
  }

  /** Writes the headers of the rows. Call it for a run without a journal. */
  begin(): void {
    this.#isBegun = true
    this.#append('orders.csv', ORDERS_HEADER)
    this.#append('fills.csv', FILLS_HEADER)
    this.#append('trades.csv', TRIPS_HEADER)
  }

  onOrder(order: OwnOrder, fee: Decimal): void {
    this.#append('orders.csv', orderRow(order, this.#market(order.symbol), fee))
  }

  /** A refused cancel is no order. */
  onRefused(refused: RefusedRequest): void {
    if (refused.intent.type !== 'cancel') this.#append('orders.csv', refusedRow(refused, refused.intent))
  }

  onFill(fill: OwnFill): void {
    this.#append('fills.csv', fillRow(fill, this.#market(fill.symbol)))
  }

  onTrip(trip: RoundTrip): void {
    this.#append('trades.csv', tripRow(trip, this.#market(trip.symbol)))
  }

  onPlot(plot: PlotPoint): void {
    this.#plots.add(plot)
  }

  onNote(note: NoteRow): void {
    this.#drawn('notes.csv', NOTES_HEADER, noteRow(note))
  }

  /** The file comes with its first row. */
  #drawn(name: RunFileName, header: string, row: string): void {
    if (this.#drawnNames.has(name)) this.#append(name, row)
    else {
      this.#drawnNames.add(name)
      this.#append(name, header + row)
    }
  }

  /**
   * The rest of the plotted values, and the whole of equity.csv, periods.csv, candles.csv, for a market of more candles
   * than that has candle-blocks.csv, and for one with a recorded book depth.csv.
   */
  protected writeSeries({ equity, candles, depths }: AccountFigures): void {
    this.#plots.finish()
    const { samples, periodSamples, scale, transfers } = equity
    const hasTransfers = transfers.length > 0
    const header = equityHeader(hasTransfers)
    const rows = samples.map((sample) =>
      equityRow(sample, scale, hasTransfers ? equity.factorAt(sample.time) : undefined),
    )
    this.#append('equity.csv', header + rows.join(''))
    const periods = periodSamples.map((sample) =>
      periodRow(sample, scale, hasTransfers ? (sample.factor ?? 1) : undefined),
    )
    this.#append('periods.csv', header + periods.join(''))
    this.#append('candles.csv', CANDLES_HEADER)
    for (const [symbol, ofMarket] of candles) {
      const market = this.#market(symbol)
      const short = ofMarket.atMost(MAX_SHORT_CANDLES)
      const rows = Array.from(short.candles(), (candle) => candleRow(candle, market, short.intervalMs))
      this.#append('candles.csv', rows.join(''))
      if (short === ofMarket) continue
      for (const row of candleBlockRows(ofMarket, market)) this.#drawn('candle-blocks.csv', CANDLE_BLOCKS_HEADER, row)
    }
    for (const [symbol, { samples }] of depths) {
      const rows = depthRows(samples, this.#market(symbol))
      if (rows.length > 0) this.#drawn('depth.csv', DEPTH_HEADER, rows.join(''))
    }
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new InvariantError(`no market '${symbol}'`)
    return market
  }
}
