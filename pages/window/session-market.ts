/**
 * The market of a session: its candles, what the strategy plots, and the session's own orders and fills.
 */
import type { ShownOrder } from '../../src/runtime/live/live-status.ts'
import type { WindowChart, WindowFill, WindowMarket } from '../../src/server/window/session-window.ts'
import { byId, setText, showOptions } from '../parts/dom.ts'
import { grouped, lengthWords, marketWords } from '../parts/words.ts'
import { PriceChart, type ChartCandle } from './price-chart.ts'

interface KnownMarket extends WindowMarket {
  readonly candles: readonly ChartCandle[]
}

export class SessionMarket {
  readonly #chart = new PriceChart(byId('market-chart', HTMLDivElement))
  readonly #choice = byId('market', HTMLSelectElement)
  /** Markets by session and symbol. */
  readonly #markets = new Map<string, Map<string, KnownMarket>>()
  readonly #plots = new Map<string, WindowChart['plots']>()
  #drawn = ''
  #last: readonly [string, readonly ShownOrder[], readonly WindowFill[]] | undefined

  constructor() {
    this.#choice.addEventListener('change', () => {
      if (this.#last !== undefined) this.show(...this.#last)
    })
  }

  /** Forgets all: the next message has everything again. */
  clear(): void {
    this.#markets.clear()
    this.#drawn = ''
  }

  keep(owner: string, { markets, plots }: WindowChart): void {
    const known = this.#markets.get(owner) ?? new Map<string, KnownMarket>()
    this.#markets.set(owner, known)
    this.#plots.set(owner, plots)
    for (const market of markets) {
      const before = market.isWhole ? [] : (known.get(market.symbol)?.candles ?? [])
      const [first] = market.candles
      const earlier = first === undefined ? before : before.filter(({ time }) => time < first.time)
      known.set(market.symbol, { ...market, candles: [...earlier, ...market.candles] })
    }
  }

  show(owner: string, orders: readonly ShownOrder[], fills: readonly WindowFill[]): void {
    this.#last = [owner, orders, fills]
    const markets = this.#markets.get(owner)
    if (markets === undefined || markets.size === 0) {
      setText(byId('market-words', HTMLElement), 'no trades since the start')
      return
    }
    byId('market-label', HTMLElement).hidden = markets.size === 1
    showOptions(
      this.#choice,
      Array.from(markets.keys(), (symbol) => [symbol, marketWords(symbol)]),
    )
    const market = markets.get(this.#choice.value)
    if (market === undefined) return
    this.#draw(owner, market)
    const { symbol } = market
    const ownPlots = (this.#plots.get(owner) ?? []).filter((plot) => (plot.symbol ?? [...markets.keys()][0]) === symbol)
    this.#chart.showPlots(
      ownPlots.map(({ name, points, symbol: near }) => ({ name, points, isPrice: near !== undefined })),
    )
    this.#chart.showOrders(orders, symbol)
    this.#chart.showFills(
      fills.filter((fill) => fill.symbol === symbol).toSorted((one, other) => one.time - other.time),
    )
  }

  #draw(owner: string, { symbol, candles, intervalMs, pricePrecision }: KnownMarket): void {
    const key = `${owner} ${symbol} ${intervalMs}`
    if (key !== this.#drawn) {
      this.#chart.setPrecision(pricePrecision)
      this.#chart.setInterval(intervalMs)
    }
    this.#chart.show(key === this.#drawn ? candles.slice(-3) : candles, key !== this.#drawn)
    this.#drawn = key
    const close = candles.at(-1)?.close ?? ''
    const words = `${marketWords(symbol)} ${grouped(close)}, candles of ${lengthWords(intervalMs)}`
    setText(byId('market-words', HTMLElement), words)
    byId('market-chart', HTMLDivElement).setAttribute(
      'aria-label',
      `Candles of ${marketWords(symbol)} with orders, fills and plots of the session; last price ${close}`,
    )
  }
}
