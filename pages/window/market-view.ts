/**
 * The market that is looked at: chart, order book, trades, and the choice of another.
 */
import type { TickerJson } from '../../src/domain/ticker.ts'
import type { TradeJson } from '../../src/domain/trade.ts'
import type { WindowBook, WindowCandles, WindowLevels, WindowWorld } from '../../src/server/window/window-frame.ts'
import { byId, el, Rows, setClass, setText, type Row } from '../parts/dom.ts'
import { PriceChart } from './price-chart.ts'
import { clockTime, grouped, percent, shortly, toneOf, trimmed } from '../parts/words.ts'

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
  readonly #asks = new Rows(byId('asks', HTMLTableElement))
  readonly #bids = new Rows(byId('bids', HTMLTableElement))
  readonly #trades = new Rows(byId('trades', HTMLTableElement), { empty: 'no trades yet' })
  readonly #list = byId('markets', HTMLElement)
  readonly #buttons = new Map<string, HTMLElement>()
  readonly #options: MarketViewOptions
  #symbol = ''

  constructor(options: MarketViewOptions) {
    this.#options = options
    for (const id of ['asks', 'bids']) {
      byId(id, HTMLTableElement).addEventListener('click', ({ target }) => {
        const row = target instanceof Element ? target.closest('tr') : null
        const price = row?.cells[0]?.textContent
        if (price !== undefined) options.onPrice(price.replaceAll('\u202f', ''))
      })
    }
  }

  showMarkets(markets: readonly Market[]): void {
    this.#buttons.clear()
    this.#list.replaceChildren(
      ...markets.map(({ symbol }) => {
        const parts = [
          el('strong', {}, symbol.replace('_', ' / ')),
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

  showBook({ bids, asks }: WindowBook): void {
    const most = Math.max(...[...bids, ...asks].slice(0, 2 * DEPTH).map(([, qty]) => Number(qty)), Number.MIN_VALUE)
    const rows = (levels: WindowLevels): readonly Row[] =>
      levels.slice(0, DEPTH).map(([price, qty]) => ({
        ...{ key: price, cells: [grouped(price), grouped(qty)], share: Math.min(1, Number(qty) / most) },
      }))
    this.#asks.show(rows(asks).toReversed())
    this.#bids.show(rows(bids))
    const [[bid = ''] = [], [ask = ''] = []] = [bids[0], asks[0]]
    const digits = bid.split('.')[1]?.length ?? 0
    const spread =
      bid === '' || ask === '' ? 'one side is empty' : `spread ${grouped((Number(ask) - Number(bid)).toFixed(digits))}`
    setText(byId('spread', HTMLElement), bids.length + asks.length === 0 ? 'the order book is empty' : spread)
  }

  showTrades(trades: readonly TradeJson[]): void {
    this.#trades.show(
      trades.slice(0, 24).map(({ id, price, qty, createdAt, isBuyerMaker }) => ({
        ...{ key: id, cells: [grouped(price), trimmed(qty), clockTime(createdAt)], tone: isBuyerMaker ? 'down' : 'up' },
      })),
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
