/**
 * A simulated market whose book or quotes were recorded, played by hand: BTC_USD with prices in tenths and quantities
 * in hundredths.
 */
import type { RecordedBooks } from '../../../../../src/adapter/exchange-adapter.ts'
import { SimulatedExchange } from '../../../../../src/adapter/simulated/simulated-exchange.ts'
import type { Decimal } from '../../../../../src/domain/decimal.ts'
import { createExchange } from '../../../../../src/exchange/create-exchange.ts'
import { RecordedDepth, type DepthKinds } from '../../../../../src/simulation/depth/recorded-depth.ts'
import { EventQueue } from '../../../../../src/simulation/event-queue.ts'
import { BookLiquidity } from '../../../../../src/simulation/liquidity/book.ts'
import { TradeEstimates } from '../../../../../src/simulation/liquidity/trade-estimates.ts'
import type { RecordedMarket } from '../../../../../src/simulation/recorded-market.ts'
import { SimulatedMarkets } from '../../../../../src/simulation/simulated-markets.ts'
import type { MarketDepth, MarketLevel } from '../../../../../src/strategy/market-depth.ts'
import type { MarketQuote } from '../../../../../src/strategy/market-quote.ts'
import type { MarketView } from '../../../../../src/strategy/market-view.ts'
import type { QuoteBlock } from '../../../../../src/tape/quote-block.ts'
import { KEEP_ALL, market } from '../../../../exchange/rig/configs.ts'
import { depthBlockOf, type MadeFrame, type MadeLevel } from '../../../../tape/rig/depth-of.ts'

export const BTC = 'BTC_USD'
const ME = 'me'
const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: Infinity }

export interface BookStageOptions extends Partial<DepthKinds> {
  readonly feedMs?: number
}

export class BookStage {
  readonly depth: RecordedDepth
  readonly queue = new EventQueue(0)
  readonly simulated: SimulatedMarkets
  readonly adapter: SimulatedExchange

  constructor({ feedMs = 0, hasLevels = true, hasQuotes = true }: BookStageOptions = {}) {
    const config = market(BTC, { pricePrecision: 1, qtyPrecision: 2 })
    const exchange = createExchange({ markets: [config], quoteAsset: 'USD', history: KEEP_ALL })
    this.depth = new RecordedDepth({ hasLevels, hasQuotes })
    this.simulated = new SimulatedMarkets(
      exchange,
      this.queue,
      () => new BookLiquidity(new TradeEstimates(1), TERMS, this.depth),
      new Set([BTC]),
      new Map(),
      new Map([[BTC, this.depth]]),
    )
    for (const asset of ['BTC', 'USD'])
      this.simulated.execute({ type: 'credit', time: 0, account: ME, asset, amount: 10n ** 15n })
    const latency = { orderMs: 0, responseMs: 0, feedMs }
    this.adapter = new SimulatedExchange(this.simulated, { account: ME, latency, limits: undefined })
  }

  get market(): RecordedMarket {
    return this.simulated.market(BTC)
  }

  get view(): MarketView {
    const [view] = this.adapter.markets
    if (view === undefined) throw new Error('the stage has a market')
    return view
  }

  get books(): RecordedBooks {
    const { books } = this.adapter
    if (books === undefined) throw new Error('the stage has books')
    return books
  }

  /** Bids, then asks, in ticks and lots: `999x5 998x4 | 1001x5`. */
  frame(time: number, text: string, more: Pick<MadeFrame, 'isSnapshot' | 'hasGap'> = {}): void {
    const [bids = '', asks = ''] = text.split('|').map((side) => side.trim())
    const block = depthBlockOf([{ time, ...more, bids: levelsOf(bids), asks: levelsOf(asks) }])
    this.pass(time)
    this.market.bookPlayer?.playFrames(block, 0, block.length, time, 0)
  }

  snapshot(time: number, text: string): void {
    this.frame(time, text, { isSnapshot: true })
  }

  /** In ticks and lots; 0 for a side on which no one is. */
  quote(time: number, bid: number, bidQty: number, ask: number, askQty: number): void {
    this.pass(time)
    this.market.bookPlayer?.playQuotes(quoteBlockOf(time, bid, bidQty, ask, askQty), 0, 1, time, 0)
  }

  trade(time: number, price: number, qty: number, side: 'buy' | 'sell'): void {
    this.pass(time)
    this.market.record(time, price, qty, side === 'sell')
  }

  /** An order of ours, now; without a price at market. */
  order(side: 'BUY' | 'SELL', qty: number, price?: number): void {
    const request =
      price === undefined
        ? ({ symbol: BTC, side, type: 'MARKET', qty } as const)
        : ({ symbol: BTC, side, type: 'LIMIT', price, qty } as const)
    this.simulated.execute({ type: 'place', time: this.queue.now(), account: ME, request })
  }

  /** Lets happen what is due before a row of that time. */
  pass(time: number): void {
    while (this.queue.nextTime < time) this.queue.runNext()
    this.queue.advance(time)
  }

  /** The same, and what is due then. */
  end(time: number): void {
    while (this.queue.nextTime <= time) this.queue.runNext()
    this.queue.advance(time)
  }
}

const levelsOf = (text: string): readonly MadeLevel[] =>
  text === '' ? [] : text.split(' ').map((level) => level.split('x').map(Number) as [number, number])

const quoteBlockOf = (time: number, bid: number, bidQty: number, ask: number, askQty: number): QuoteBlock => ({
  length: 1,
  time: Float64Array.of(time),
  bid: Float64Array.of(bid),
  bidQty: Float64Array.of(bidQty),
  ask: Float64Array.of(ask),
  askQty: Float64Array.of(askQty),
})

const sideText = (price: Decimal | undefined, qty: Decimal | undefined): string =>
  price === undefined ? '-' : `${price.toFixed()}x${qty?.toFixed() ?? '-'}`

export const quoteText = ({ time, bid, bidQty, ask, askQty }: MarketQuote): string =>
  `${time}: ${sideText(bid, bidQty)} | ${sideText(ask, askQty)}`

export const levelsText = (levels: readonly MarketLevel[]): string =>
  levels.map(({ price, qty }) => sideText(price, qty)).join(' ')

export const depthText = ({ time, bids, asks }: MarketDepth): string =>
  `${time}: ${levelsText(bids)} | ${levelsText(asks)}`
