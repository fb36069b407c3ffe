/** Subscribes the figures of an account to the trades, candles and books of the markets, from the start of a run. */
import type { CandleListener } from '../../simulation/candles/candle-market.ts'
import type { RecordedListener } from '../../simulation/replay/tape-channel.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { AccountFigures, MarkListener } from '../figures/account-figures.ts'
import { DepthSamples } from '../figures/depth-samples.ts'
import type { MarketOrderTracker } from '../order-tracking/market-order-tracker.ts'
import type { RestingOrderTracker } from '../order-tracking/resting-order-tracker.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import type { MarketListener } from '../../simulation/recorded-market.ts'

/**
 * Subscribes figures to the candles and recorded books of the markets.
 *
 * @param trackers  follow the same candles; undefined for none
 */
export function watchMarks(
  prepared: PreparedBacktest,
  simulated: SimulatedMarkets,
  figures: AccountFigures,
  trackers?: RestingOrderTracker,
): void {
  for (const symbol of prepared.candleTapes.keys()) {
    const listener = candleListener(figures.market(symbol), trackers?.market(symbol))
    simulated.market(symbol).candles?.listeners.push(sinceBeginning(prepared, listener))
  }
  markByBooks(prepared, simulated, figures)
  for (const { symbol } of simulated.exchange.markets) {
    const { bookPlayer, crowd, depth } = simulated.market(symbol)
    if (bookPlayer === undefined || depth === undefined) continue
    // If the model does not follow the book, it fills nothing.
    if (crowd.model.recordedBook !== undefined) figures.quality.market(symbol).book = bookPlayer
    if (!depth.hasLevels || !figures.candles.has(symbol)) continue
    // Strategies of one wallet share the samples.
    const { sampler } = bookPlayer
    const samples = sampler instanceof DepthSamples ? sampler : new DepthSamples(depth, prepared)
    bookPlayer.sampler = samples
    figures.depths.set(symbol, samples)
  }
}

/** Passes the recorded trades of one market to the figures and to its order trackers. */
export const recordedListener = (figures: MarkListener, trackers: MarketOrderTracker): RecordedListener => ({
  onRecorded: (time, price, qty) => {
    figures.onRecorded(time, price, qty)
    trackers.onRecorded(price, qty)
  },
})

/** Passes on recorded trades of the run, and none of its warm-up. */
export function sinceStart(
  { from, warmupFrom = from }: PreparedBacktest,
  listener: RecordedListener,
): RecordedListener {
  if (warmupFrom === from) return listener
  return {
    onRecorded: (time, price, qty, isBuyerMaker) => {
      if (time >= from) listener.onRecorded(time, price, qty, isBuyerMaker)
    },
  }
}

/** Passes on candles that open with the run or later. */
const sinceBeginning = ({ from }: PreparedBacktest, listener: CandleListener): CandleListener => ({
  onOpen: (candle) => {
    if (candle.time >= from) listener.onOpen(candle)
  },
  onCandle: (candle, endsAt) => {
    if (candle.time >= from) listener.onCandle(candle, endsAt)
  },
})

/** Passes the candles of one market to the same; their marks are the opens and closes. */
const candleListener = (figures: MarkListener, trackers: MarketOrderTracker | undefined): CandleListener => ({
  onOpen: ({ time, open }) => {
    figures.onOpen(time, open)
  },
  onCandle: (candle, endsAt) => {
    figures.onCandle(candle, endsAt)
    trackers?.onCandle(candle)
  },
})

/**
 * Marks markets without recorded trades by the mid price of the recorded book, in whole ticks, whenever it moves.
 *
 * @param figures  receive the marks from the start of the run
 */
function markByBooks(
  { tapes, books, from }: Pick<PreparedBacktest, 'tapes' | 'books' | 'from'>,
  simulated: SimulatedMarkets,
  figures: AccountFigures,
): void {
  const taped = new Set(tapes.map(({ info }) => info.symbol))
  for (const symbol of new Set(books.map(({ info }) => info.symbol))) {
    const { depth } = simulated.market(symbol)
    if (taped.has(symbol) || depth === undefined) continue
    const marks = figures.market(symbol)
    simulated.listen(
      symbol,
      middleListener(depth.book, (time, price) => {
        if (time >= from) marks.onRecorded(time, price, 0)
      }),
    )
  }
}

function middleListener(book: RecordedBook, onMove: (time: number, price: number) => void): MarketListener {
  let last: number | undefined
  const look = (time: number): void => {
    const { bestBid, bestAsk, isKnown } = book
    if (!isKnown || bestBid === undefined || bestAsk === undefined) return
    const middle = bestBid + Math.floor((bestAsk - bestBid) / 2)
    if (middle === last) return
    last = middle
    onMove(time, middle)
  }
  return { onTrade: () => undefined, onDepth: look, onQuote: look }
}
