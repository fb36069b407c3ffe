/**
 * Wraps a strategy to log the market data that it receives, without changing its behaviour.
 *
 * Known limitation: data emitted to several subscribers of the strategy is logged once for each.
 */
import { tap, type Observable } from 'rxjs'
import type { CandleLength } from '../../domain/candle-length.ts'
import type { CandleOptions, CandleRow } from '../../strategy/candle-row.ts'
import type { CandlesOf } from '../../strategy/context.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'

/** Receives a line of JSON. */
export type NoteMarketData = (line: string) => void

export function notingMarketData(strategy: Strategy, note: NoteMarketData): Strategy {
  const noted = <T>(stream: Observable<T>, words: (value: T) => object): Observable<T> =>
    stream.pipe(
      tap((value) => {
        note(JSON.stringify(words(value)))
      }),
    )
  return {
    ...strategy,
    run: (context) => {
      const at = (type: string) => ({ t: context.now(), type })
      return strategy.run({
        ...context,
        trades: (symbol) => noted(context.trades(symbol), (trade) => ({ ...at('trade'), ...tradeWords(trade) })),
        tickers: (symbol) => noted(context.tickers(symbol), (ticker) => ({ ...at('ticker'), ...tickerWords(ticker) })),
        candles: ((asked: string, interval: CandleLength, options?: CandleOptions) =>
          noted<MarketCandle | CandleRow>(context.candles(asked, interval, options), (reported) => ({
            ...at('candle'),
            interval,
            ...('candles' in reported ? rowWords(reported) : candleWords(reported)),
          }))) as CandlesOf,
        gaps: (symbol) => noted(context.gaps(symbol), (gap: MarketGap) => ({ ...at('gap'), ...gap })),
      })
    },
  }
}

const tradeWords = ({ id, symbol, price, qty, isBuyerMaker, createdAt, isOwn, isOffMarket }: MarketTrade): object => ({
  id,
  symbol,
  price: price.toFixed(),
  qty: qty.toFixed(),
  isBuyerMaker,
  createdAt,
  isOwn,
  isOffMarket,
})

const tickerWords = (ticker: MarketTicker): object => {
  const { symbol, timestamp, lastPrice, openPrice, high, low, volume, quoteVolume } = ticker
  return {
    symbol,
    timestamp,
    lastPrice: lastPrice.toFixed(),
    openPrice: openPrice.toFixed(),
    high: high.toFixed(),
    low: low.toFixed(),
    volume: volume.toFixed(),
    quoteVolume: quoteVolume.toFixed(),
  }
}

const rowWords = ({ time, candles }: CandleRow): object => ({
  time,
  candles: candles.map((candle) => (candle === undefined ? null : candleWords(candle))),
})

const candleWords = ({ symbol, time, open, high, low, close, volume }: MarketCandle): object => ({
  symbol,
  time,
  open: open.toFixed(),
  high: high.toFixed(),
  low: low.toFixed(),
  close: close.toFixed(),
  volume: volume.toFixed(),
})
