/**
 * Publishes the trades and tickers of a market to its streams.
 *
 * Every trade is published. A ticker is published once per turn of the event loop, after all its changes: an order that
 * fills against a hundred others makes a hundred trades and one ticker with the final state. The same holds for an
 * advance of the virtual clock, however many turns it takes. In a recorded market, matches that are not recorded trades
 * do not change market data.
 */
import type { MarketConfig } from '../../domain/market.ts'
import { tickerText } from '../../wire/ticker-text.ts'
import { tradeText } from '../../wire/trade-text.ts'
import type { Service } from '../service/service.ts'
import type { StreamHub } from './stream-hub.ts'

export const tradeStream = (symbol: string): string => `trade:${symbol}`
export const tickerStream = (symbol: string): string => `ticker:${symbol}`

/** @param onEvent  called before an event is published */
export function publishMarket(service: Service, market: MarketConfig, hub: StreamHub, onEvent: () => void): void {
  const { symbol } = market
  const [trades, tickers] = [tradeStream(symbol), tickerStream(symbol)]
  const ticker = (): string => tickerText(service.exchange.ticker(symbol, service.simulated.queue.now()), market)
  service.simulated.listen(symbol, {
    onTrade: (trade) => {
      if (!hub.isWatched(trades)) return
      onEvent()
      hub.publish(trades, tradeText(trade, market))
    },
    onMarketData: () => {
      if (!hub.isWatched(tickers)) return
      onEvent()
      hub.publishLatest(tickers, ticker)
    },
  })
}
