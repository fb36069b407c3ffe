/**
 * The market that is looked at: chart, order book, trades, and the choice of another.
 */
import type { OrderJson } from '../../src/domain/order.ts'
import type { TickerJson } from '../../src/domain/ticker.ts'
import type { FillJson, TradeJson } from '../../src/domain/trade.ts'
import type { WindowBook, WindowCandles, WindowLevels, WindowWorld } from '../../src/server/window/window-frame.ts'
import { byId, el, Rows, setClass, setText, type Row } from '../parts/dom.ts'
import { DepthChart } from './depth-chart.ts'
import { PriceChart } from './price-chart.ts'
import { clockTime, grouped, marketWords, percent, shortly, toneOf, trimmed } from '../parts/words.ts'

type Market = WindowWorld['markets'][number]

export interface MarketViewOptions {
  readonly onMarket: (symbol: string) => void
  /** A price of the book was chosen. */
  readonly onPrice: (price: string) => void
}

/** Rows of a side of the book. */
const DEPTH = 10

export class MarketView {
  readonly #chart = new PriceChart(byId('chart', HTMLDivElement))
  readonly #depth = new DepthChart(byId('depth', HTMLDivElement))
  readonly #asks = new Rows(byId('asks', HTMLTableElement))
  readonly #bids = new Rows(byId('bids', HTMLTableElement))
  readonly #trades = new Rows(byId('trades', HTMLTableElement), { empty: 'no trades yet' })
  readonly #list = byId('markets', HTMLElement)
  readonly #buttons = new Map<string, HTMLElement>()
  readonly #options: MarketViewOptions
  #symbol = ''
  #asset = ''

  constructor(options: MarketViewOptions) {
    this.#options = options
    for (const id of ['asks', 'bids']) {
      byId(id, HTMLTableElement).addEventListener('click', ({ target }) => {
        const row = target instanceof Element ? target.closest('tr') : null
        const price = row?.cells[0]?.textContent
        if (price !== undefined) options.onPrice(price.replaceAll(',', ''))
      })
    }
  }

  showMarkets(markets: readonly Market[]): void {
    this.#buttons.clear()
    this.#list.replaceChildren(
      ...markets.map(({ symbol }) => {
        const parts = [
          el('strong', {}, marketWords(symbol)),
          el('span', { class: 'price' }, '–'),
          el('span', { class: 'change' }, ''),
        ]
        const button = el('button', { type: 'button', class: 'market', 'aria-pressed': 'false' }, ...parts)
        button.addEventListener('click', () => {
          this.#options.onMarket(symbol)
        })
        this.#buttons.set(symbol, button)
        return button
      }),
    )
  }

  choose({ symbol, baseAsset, quoteAsset, pricePrecision }: Market): void {
    this.#symbol = symbol
    this.#asset = baseAsset
    for (const [each, button] of this.#buttons) button.setAttribute('aria-pressed', String(each === symbol))
    this.#chart.setPrecision(pricePrecision)
    setText(byId('book-head', HTMLElement), `${baseAsset} in ${quoteAsset}`)
  }

  showTickers(tickers: readonly TickerJson[]): void {
    for (const { symbol, lastPrice, priceChangePercent, high, low, volume } of tickers) {
      const button = this.#buttons.get(symbol)
      const [price, change] = [button?.querySelector('.price'), button?.querySelector('.change')]
      if (price) setText(price, grouped(lastPrice))
      if (change) {
        setText(change, percent(priceChangePercent))
        setClass(change, `change ${toneOf(priceChangePercent)}`)
      }
      if (symbol !== this.#symbol) continue
      setText(
        byId('range', HTMLElement),
        `24 h: high ${grouped(high)}, low ${grouped(low)}, volume ${shortly(volume, 3)}`,
      )
    }
  }

  showBook(book: WindowBook): void {
    const { bids, asks, spread } = book
    this.#depth.show(book, this.#asset)
    const shown = [...bids.slice(0, DEPTH), ...asks.slice(0, DEPTH)]
    const most = Math.max(...shown.map(([, qty]) => Number(qty)), Number.MIN_VALUE)
    const rows = (levels: WindowLevels): readonly Row[] =>
      levels.slice(0, DEPTH).map(([price, qty]) => ({
        ...{ key: price, cells: [grouped(price), grouped(qty)], share: Math.min(1, Number(qty) / most) },
      }))
    this.#asks.show(rows(asks).toReversed())
    this.#bids.show(rows(bids))
    const words = spread === undefined ? 'one side is empty' : `spread ${grouped(spread)}`
    setText(byId('spread', HTMLElement), bids.length + asks.length === 0 ? 'the order book is empty' : words)
  }

  showTrades(trades: readonly TradeJson[]): void {
    this.#trades.show(
      trades.slice(0, 24).map(({ id, price, qty, createdAt, isBuyerMaker }) => ({
        ...{ key: id, cells: [grouped(price), trimmed(qty), clockTime(createdAt)], tone: isBuyerMaker ? 'down' : 'up' },
      })),
    )
  }

  /** Orders and fills of an account, of which the chart shows those of the market. */
  showOwn(orders: readonly OrderJson[], fills: readonly FillJson[]): void {
    this.#chart.showOrders(orders, this.#symbol)
    this.#chart.showFills(
      fills
        .filter(({ symbol }) => symbol === this.#symbol)
        .map(({ side, price, createdAt }) => ({ time: createdAt, side, price }))
        .toSorted((one, other) => one.time - other.time),
    )
  }

  showCandles({ data, isWhole }: WindowCandles): void {
    this.#chart.show(data, isWhole)
    const last = data.at(-1)
    if (last === undefined) return
    const { open, high, low, close } = last
    const words = `Candles of ${this.#symbol}; the last one: open ${open}, high ${high}, low ${low}, close ${close}`
    byId('chart', HTMLDivElement).setAttribute('aria-label', words)
  }
}
