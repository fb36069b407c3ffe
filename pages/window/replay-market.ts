/**
 * The market of a replay at its moment: candles with own orders and fills, the book with the place of each own order in
 * its queue, and the recorded trades.
 */
import type { ReplayedOrder } from '../../src/report/replay/replayed-run.ts'
import type { ReplayLevel, ReplayMarket } from '../../src/server/window/replay-market.ts'
import type { ReplayWhole } from '../../src/server/window/replay-window.ts'
import { byId, Rows, setText, showOptions, type Row } from '../parts/dom.ts'
import { grouped, lengthWords, marketWords, shortTime } from '../parts/words.ts'
import { PriceChart } from './price-chart.ts'

type Market = ReplayWhole['markets'][number]

/** Candles after which the server sends the window from its beginning. */
const MAX_CONTINUED = 400
const MAX_TRADES = 40
/** Candles with which a run is looked at first, as far as there are lengths to choose from. */
const WANTED = 150

export class ReplayMarketView {
  readonly #chart = new PriceChart(byId('market-chart', HTMLDivElement))
  readonly #choice = byId('market', HTMLSelectElement)
  readonly #lengths = byId('length', HTMLSelectElement)
  readonly #book = new Rows(byId('book', HTMLTableElement), { empty: 'no orders of yours' })
  readonly #trades = new Rows(byId('trades', HTMLTableElement), { empty: 'none' })
  #markets: readonly Market[] = []
  #times: readonly number[] = []
  #drawn = ''

  /** @param onChoice  another market, or another length, was chosen */
  constructor(onChoice: () => void) {
    this.#choice.addEventListener('change', () => {
      this.#choose()
      onChoice()
    })
    this.#lengths.addEventListener('change', onChoice)
  }

  /** @param spanMs  length of the run */
  showMarkets(markets: readonly Market[], spanMs: number): void {
    this.#markets = markets
    this.#drawn = ''
    byId('market-label', HTMLElement).hidden = markets.length < 2
    showOptions(
      this.#choice,
      markets.map(({ symbol }) => [symbol, marketWords(symbol)]),
    )
    this.#choose()
    const { lengths = [] } = this.#market ?? {}
    const fitting = lengths.find((each) => each * WANTED * 10 >= spanMs) ?? lengths.at(-1)
    if (fitting !== undefined) this.#lengths.value = String(fitting)
  }

  /** Parts that the page requests in addition to a moment. */
  get query(): string {
    const market = this.#market
    if (market === undefined) return ''
    const { symbol } = market
    const asked = `&symbol=${encodeURIComponent(symbol)}&length=${this.#lengths.value || '0'}`
    const since = this.#times.at(-1)
    const isNext = this.#drawn === `${symbol} ${this.#lengths.value}` && this.#times.length < MAX_CONTINUED
    return isNext && since !== undefined ? `${asked}&since=${since}` : asked
  }

  /** @param clock  Unix milliseconds of the moment */
  show(market: ReplayMarket | undefined, orders: readonly ReplayedOrder[], clock: number): void {
    if (market === undefined) {
      setText(byId('market-words', HTMLElement), 'no market')
      return
    }
    const { symbol, candles, isWhole, length, fills, plots } = market
    this.#drawn = `${symbol} ${length}`
    this.#draw(market)
    this.#chart.showPlots(plots)
    this.#chart.showOrders(orders, symbol)
    this.#chart.showFills(fills)
    this.#showBook(market)
    this.#showTrades(market, clock)
    const close = candles.at(-1)?.close
    if (close === undefined && !isWhole) return
    const words = close === undefined ? 'no candle yet' : `${marketWords(symbol)} ${grouped(close)}`
    setText(byId('market-words', HTMLElement), this.#market?.lengths.length === 0 ? 'no candles in this run' : words)
    byId('market-chart', HTMLDivElement).setAttribute(
      'aria-label',
      `Candles of ${marketWords(symbol)} with ${fills.length} fills and the open orders; last close ${close ?? 'none'}`,
    )
  }

  #showBook({ bids, asks, isBookRecorded, trades }: ReplayMarket): void {
    const last = trades?.[0]
    const between: Row = {
      key: 'last',
      cells: [last === undefined ? '–' : grouped(last.price), 'last', '', ''],
      tone: 'last',
    }
    const most = Math.max(...[...bids, ...asks].map((level) => Number(level.qty ?? level.own ?? 0)), Number.MIN_VALUE)
    const rows = [
      ...asks.toReversed().map((level) => levelRow(level, 'ask', most)),
      ...(last === undefined ? [] : [between]),
      ...bids.map((level) => levelRow(level, 'bid', most)),
    ]
    this.#book.show(bids.length + asks.length === 0 ? [] : rows)
    const kind = isBookRecorded
      ? 'as recorded; others ahead of yours at most'
      : 'your orders only: no book was recorded'
    setText(byId('book-words', HTMLElement), kind)
  }

  /** Recorded trades and own fills, the newest first. */
  #showTrades({ trades, lastFills, recording }: ReplayMarket, clock: number): void {
    const kind = trades === undefined ? 'the market was recorded as candles' : ''
    setText(byId('trades-words', HTMLElement), recording === '' ? kind : recording)
    const oldest = trades?.at(-1)?.time ?? -Infinity
    const own = lastFills.filter(({ time }) => time >= oldest).slice(-MAX_TRADES)
    const rows = [
      ...own.toReversed().map((fill) => ({ ...fill, words: fill.side === 'BUY' ? 'bought' : 'sold' })),
      ...(trades ?? []).map((trade) => ({ ...trade, words: '' })),
    ].toSorted((one, other) => other.time - one.time)
    this.#trades.show(
      rows.slice(0, MAX_TRADES).map(({ time, price, qty, side, words }, index) => ({
        key: String(index),
        cells: [grouped(price), grouped(qty), shortTime(time, clock), words],
        tone: `${side === 'BUY' ? 'up' : side === 'SELL' ? 'down' : ''} ${words === '' ? '' : 'own'}`.trim(),
      })),
    )
  }

  #draw({ candles, isWhole }: ReplayMarket): void {
    if (isWhole) {
      this.#times = candles.map(({ time }) => time)
      this.#chart.replace(candles)
      this.#chart.lookAt(candles.length - 1)
      return
    }
    const [first] = candles
    if (first === undefined) return
    this.#times = [...this.#times.filter((time) => time < first.time), ...candles.map(({ time }) => time)]
    this.#chart.show(candles, false)
  }

  get #market(): Market | undefined {
    return this.#markets.find(({ symbol }) => symbol === this.#choice.value)
  }

  #choose(): void {
    const { lengths = [], pricePrecision = 2 } = this.#market ?? {}
    byId('length-label', HTMLElement).hidden = lengths.length < 2
    showOptions(
      this.#lengths,
      lengths.map((each) => [String(each), lengthWords(each)]),
    )
    this.#chart.setPrecision(pricePrecision)
    this.#chart.setInterval(lengths[0] ?? 60_000)
  }
}

function levelRow({ price, qty, own, ahead }: ReplayLevel, side: 'ask' | 'bid', most: number): Row {
  return {
    key: `${side} ${price}`,
    cells: [
      grouped(price),
      grouped(qty ?? ''),
      grouped(own ?? ''),
      own === undefined ? '' : grouped(ahead ?? 'unknown'),
    ],
    tone: own === undefined ? side : `${side} own`,
    share: Math.min(1, Number(qty ?? own ?? 0) / most),
  }
}
