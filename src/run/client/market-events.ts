/**
 * Trades and tickers of a service as they happen: from its stream, with what a lost connection missed filled in from
 * reads.
 *
 * Invariant: each trade once, in the order of the exchange; where trades are missing, there is a gap.
 */
import { faultOf, TradeFeed } from '../../adapter/live/market-data/trade-feed.ts'
import { TickerFeed } from '../../adapter/live/market-data/ticker-feed.ts'
import { MARKET_DATA_SETTINGS } from '../../adapter/live/market-data/market-data-settings.ts'
import type { LiveTime } from '../../adapter/live/live-time.ts'
import type { MarketReads } from '../../adapter/live/rest/service-calls.ts'
import { tickerStream, tradeStream } from '../../adapter/live/stream/stream-codec.ts'
import type { StreamConnection, StreamListener } from '../../adapter/live/stream/stream-connection.ts'
import { ExchangeError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { tickerToJson, type TickerJson } from '../../domain/ticker.ts'
import { tradeToJson, type TradeJson } from '../../domain/trade.ts'
import { readTicker } from '../../wire/read-ticker.ts'
import { readTrade } from '../../wire/wire-trade.ts'

/** Something that happened in the markets of a stream. */
export type MarketEvent =
  /** A trade: each once, in the order of the exchange. */
  | {
      readonly type: 'trade'
      /** The trade, in the form of the specification. */
      readonly trade: TradeJson
    }
  /** The ticker of a market has changed. */
  | {
      readonly type: 'ticker'
      /** The ticker, in the form of the specification. */
      readonly ticker: TickerJson
    }
  /** Trades of a market between two times are missing, because the connection was lost for too long. */
  | {
      readonly type: 'gap'
      /** Market. */
      readonly symbol: string
      /** Unix milliseconds. */
      readonly from: number
      /** Unix milliseconds. */
      readonly to: number
    }
  /** The stream is connected, for the first time or again. */
  | { readonly type: 'connected' }
  /** The stream is lost and is being restored; meanwhile the markets are polled. */
  | {
      readonly type: 'disconnected'
      /** Cause. */
      readonly reason: string
    }
  /** The stream was ended by its reader or by `close`; the last event. */
  | { readonly type: 'closed' }

export interface MarketEventParts {
  readonly trades: readonly Market[]
  readonly tickers: readonly Market[]
  readonly reads: Pick<MarketReads, 'trades' | 'ticker'>
  readonly stream: StreamConnection
  readonly time: LiveTime
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  readonly onWarning: (text: string) => void
  readonly push: (event: MarketEvent) => void
}

/** Follower of one stream. */
interface Route {
  /** @throws {ExchangeError} for data that cannot be read */
  readonly onData: (json: unknown) => void
  readonly feed: Pick<TradeFeed, 'start' | 'onSubscribed' | 'onNoStream' | 'close'>
}

/** Begins to report events. @returns ends it */
export function followMarkets(parts: MarketEventParts): () => void {
  const { trades, tickers, stream } = parts
  const routes = new Map<string, Route>([
    ...trades.map((market) => [tradeStream(market.symbol), tradeRoute(market, parts)] as const),
    ...tickers.map((market) => [tickerStream(market.symbol), tickerRoute(market, parts)] as const),
  ])
  for (const name of routes.keys()) stream.subscribe(name)
  stream.open(listenerOf(routes, parts))
  for (const { feed } of routes.values()) feed.start()
  return () => {
    stream.close()
    for (const { feed } of routes.values()) feed.close()
  }
}

function tradeRoute(market: Market, { reads, stream, time, random, onWarning, push }: MarketEventParts): Route {
  const { symbol } = market
  const feed = new TradeFeed({
    ...{ symbol, reads, isStreamed: true, time, random, settings: MARKET_DATA_SETTINGS },
    listener: {
      onTrade: (trade) => push({ type: 'trade', trade: tradeToJson(trade, market) }),
      // Trades that no read has confirmed are not missing.
      onGap: (from, to, kind) => kind === 'missing' && push({ type: 'gap', symbol, from, to }),
      onSilent: () => stream.reconnect?.('it delivered no trades'),
      onAhead: ({ id }) => onWarning(`${symbol}: the time of trade ${id} is ahead of the clock`),
      onFault: ({ message }) => onWarning(message),
      ...{ onSeen: () => undefined, onBegin: () => undefined, onCurrent: () => undefined },
    },
  })
  return { feed, onData: (json) => feed.onStreamTrade(readTrade(json, market)) }
}

function tickerRoute(market: Market, { reads, time, onWarning, push }: MarketEventParts): Route {
  const feed = new TickerFeed({
    ...{ symbol: market.symbol, reads, time, pollMs: MARKET_DATA_SETTINGS.tickerMs, onWarning },
    clock: { now: () => time.now(), isAhead: () => false },
    onStreamed: () => undefined,
    onTicker: (ticker) => push({ type: 'ticker', ticker: tickerToJson(ticker, market) }),
    onFault: (error) => onWarning(faultOf(error).message),
  })
  return { feed, onData: (json) => feed.onStreamTicker(readTicker(json, market)) }
}

const listenerOf = (routes: ReadonlyMap<string, Route>, { onWarning, push }: MarketEventParts): StreamListener => {
  const onUnreadable = (reason: string): void => onWarning(`skipped a message of the stream: ${reason}`)
  return {
    onUnreadable,
    onOpen: () => push({ type: 'connected' }),
    onSubscribed: (name) => routes.get(name)?.feed.onSubscribed(),
    onRefused: (name, reason) => {
      onWarning(`the service has no stream ${name}, so it is polled: ${reason}`)
      routes.get(name)?.feed.onNoStream()
    },
    onMessage: ({ stream, data }) => {
      try {
        routes.get(stream)?.onData(data)
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        onUnreadable(error.message)
      }
    },
    onLost: (reason) => {
      push({ type: 'disconnected', reason })
      for (const { feed } of routes.values()) feed.onNoStream()
    },
  }
}
