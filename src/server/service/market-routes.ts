/**
 * Public market data (section 4, Public).
 */
import { z } from 'zod'
import { CANDLE_INTERVALS, candleToJson, type Candle } from '../../domain/candle.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { tickerToJson, type Ticker, type TickerJson } from '../../domain/ticker.ts'
import { tradeToJson, type Trade } from '../../domain/trade.ts'
import { choiceOf, integerOf, shown } from '../envelope/query-values.ts'
import type { Call, Route } from './route.ts'
import { candlesText } from '../../wire/candle-text.ts'
import { candleSchema, marketSchema, tickerSchema, tradeSchema } from '../../wire/schemas.ts'
import { tickerText } from '../../wire/ticker-text.ts'
import { tradesText } from '../../wire/trade-text.ts'
import { ServiceError } from '../envelope/service-error.ts'

/** Decisions 3 and 4. */
const DEFAULT_TRADES = 100
const MAX_TRADES = 500
const DEFAULT_CANDLES = 500
const MAX_CANDLES = 1000

const INTERVALS = Object.keys(CANDLE_INTERVALS) as readonly (keyof typeof CANDLE_INTERVALS)[]

/** Names for generated clients: no language has one that begins with a digit. */
const intervalName = (interval: string): string =>
  interval.replace(/^(\d+)(\w)$/, (_, count: string, unit: string) => unit.toUpperCase() + count)

/** `limit` of both trades endpoints, and its value. */
export const tradesLimit = z
  .int()
  .min(1)
  .max(MAX_TRADES)
  .default(DEFAULT_TRADES)
  .meta({ description: 'maximum number of results' })

export const tradesLimitOf = (query: Call['query']): number =>
  integerOf('limit', query.limit, 1, MAX_TRADES) ?? DEFAULT_TRADES

function marketOf({ service, params }: Call): MarketConfig {
  const symbol = params.symbol ?? ''
  const market = service.market(symbol)
  if (market === undefined) throw new ServiceError('MARKET_NOT_FOUND', `no market '${shown(symbol)}'`)
  return market
}

const tickerOf = ({ service, now }: Call, { symbol }: MarketConfig): Ticker => service.exchange.ticker(symbol, now)

const tickerJson = (call: Call, market: MarketConfig): TickerJson => tickerToJson(tickerOf(call, market), market)

const textOfTicker = (call: Call, market: MarketConfig): string => tickerText(tickerOf(call, market), market)

interface Found<T> {
  readonly market: MarketConfig
  readonly found: readonly T[]
}

function tradesOf(call: Call): Found<Trade> {
  // Shape before market (decision 20).
  const limit = tradesLimitOf(call.query)
  const market = marketOf(call)
  return { market, found: call.service.exchange.trades(market.symbol, limit) }
}

function candlesOf(call: Call): Found<Candle> {
  const { service, query } = call
  const interval = choiceOf('interval', query.interval, INTERVALS) ?? '1m'
  const from = integerOf('from', query.from, 0, Number.MAX_SAFE_INTEGER)
  const to = integerOf('to', query.to, 0, Number.MAX_SAFE_INTEGER)
  const limit = integerOf('limit', query.limit, 1, MAX_CANDLES) ?? DEFAULT_CANDLES
  const market = marketOf(call)
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return { market, found: service.exchange.candles(market.symbol, { interval, limit, ...range }) }
}

/** A route that answers with a list of one market. */
const ofMarket = <T>(
  findOf: (call: Call) => Found<T>,
  jsonOf: (found: readonly T[], market: MarketConfig) => unknown,
  textOf: (found: readonly T[], market: MarketConfig) => Buffer,
): Pick<Route, 'handle' | 'handleAsText'> => ({
  handle: (call) => {
    const { market, found } = findOf(call)
    return jsonOf(found, market)
  },
  handleAsText: (call) => {
    const { market, found } = findOf(call)
    return textOf(found, market)
  },
})

const markets = ({ service }: Call): object => ({ data: service.exchange.markets.map(publicMarket) })

export const MARKET_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/markets',
    operationId: 'listMarkets',
    tag: 'Markets',
    summary: 'every market',
    access: 'public',
    status: 200,
    answer: z.strictObject({ data: z.array(marketSchema) }).meta({ id: 'Markets' }),
    handle: markets,
    handleAsText: (call) => JSON.stringify(markets(call)),
  },
  {
    method: 'GET',
    path: '/markets/tickers',
    operationId: 'listTickers',
    tag: 'Markets',
    summary: 'a ticker of every market',
    access: 'public',
    status: 200,
    answer: z.array(tickerSchema),
    handle: (call) => call.service.exchange.markets.map((market) => tickerJson(call, market)),
    handleAsText: (call) => `[${call.service.exchange.markets.map((market) => textOfTicker(call, market)).join(',')}]`,
  },
  {
    method: 'GET',
    path: '/markets/{symbol}/ticker',
    operationId: 'getTicker',
    tag: 'Markets',
    summary: 'the last 24 hours of a market',
    access: 'public',
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: tickerSchema,
    handle: (call) => tickerJson(call, marketOf(call)),
    handleAsText: (call) => textOfTicker(call, marketOf(call)),
  },
  {
    method: 'GET',
    path: '/markets/{symbol}/trades',
    operationId: 'listMarketTrades',
    tag: 'Markets',
    summary: 'recent trades, newest first',
    access: 'public',
    query: { limit: tradesLimit },
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: z.array(tradeSchema),
    ...ofMarket(tradesOf, (found, market) => found.map((trade) => tradeToJson(trade, market)), tradesText),
  },
  {
    method: 'GET',
    path: '/markets/{symbol}/candles',
    operationId: 'listCandles',
    tag: 'Markets',
    summary: 'candles, oldest first; the last one is still open',
    access: 'public',
    query: {
      interval: z
        .enum(INTERVALS)
        .default('1m')
        .meta({ description: 'length of a candle', 'x-enum-varnames': INTERVALS.map(intervalName) }),
      from: z.int().min(0).optional().meta({ description: 'Unix milliseconds, inclusive' }),
      to: z.int().min(0).optional().meta({ description: 'Unix milliseconds, exclusive' }),
      limit: z
        .int()
        .min(1)
        .max(MAX_CANDLES)
        .default(DEFAULT_CANDLES)
        .meta({ description: 'maximum number of candles; the newest are returned' }),
    },
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: z.strictObject({ data: z.array(candleSchema) }).meta({ id: 'Candles' }),
    ...ofMarket(
      candlesOf,
      (found, market) => ({ data: found.map((candle) => candleToJson(candle, market)) }),
      candlesText,
    ),
  },
]

/** A market without the rules that its exchange applies to it. */
const publicMarket = ({
  id,
  name,
  symbol,
  baseAsset,
  quoteAsset,
  pricePrecision,
  qtyPrecision,
}: MarketConfig): object => ({
  id,
  name,
  symbol,
  baseAsset,
  quoteAsset,
  pricePrecision,
  qtyPrecision,
})
