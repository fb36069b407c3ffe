/**
 * JSON formats: converts an element of a recording to rows of cells.
 *
 * Invariant: numbers stay as written. Elements that are not rows, such as heartbeats, are counted by kind; unknown
 * elements are errors.
 */
import type { Field, RowKind } from '../csv/field.ts'
import { isJsonArray, isJsonObject, memberOf, textOf, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { bareHeader, isNameOf } from './header-names.ts'

/** A row by field. */
export type JsonRow = Readonly<Partial<Record<Field, string>>>

/** Content of an element. */
export type JsonContent = { readonly rows: readonly JsonRow[] } | { readonly leftOut: string } | undefined

export interface JsonDialect {
  readonly dialect: string
  readonly kind: RowKind
  /** True if rows are sorted newest first, or not at all. */
  readonly isAnyOrder?: boolean
  /** Undefined for an element that is not of this format. */
  readonly read: (value: JsonValue) => JsonContent
}

const text = (value: JsonValue | undefined): string | undefined => textOf(value)

/** Members of an object by field; undefined if one is missing. */
function row(value: JsonValue | undefined, members: Readonly<Partial<Record<Field, string>>>): JsonRow | undefined {
  const found: Partial<Record<Field, string>> = {}
  for (const [field, key] of Object.entries(members) as [Field, string][]) {
    const member = memberOf(value, key)
    const cell = typeof member === 'boolean' ? String(member) : text(member)
    if (cell === undefined) return undefined
    found[field] = cell
  }
  return found
}

const content = (rows: readonly (JsonRow | undefined)[]): JsonContent =>
  rows.every((each) => each !== undefined) ? { rows } : undefined

const items = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : [])
const is = (value: JsonValue | undefined, key: string, ...words: readonly string[]): boolean =>
  words.includes(text(memberOf(value, key)) ?? '')

/** Unwraps a message of a combined stream. */
const inEnvelope = (value: JsonValue): JsonValue =>
  memberOf(value, 'stream') === undefined ? value : (memberOf(value, 'data') ?? value)

const BINANCE_TRADE = { id: 't', time: 'T', price: 'p', qty: 'q', is_buyer_maker: 'm', symbol: 's' } as const
const BINANCE_AGGREGATE = { ...BINANCE_TRADE, id: 'a' } as const

const binanceStream: JsonDialect = {
  dialect: 'Binance stream of trades',
  kind: 'trades',
  read(given) {
    const value = inEnvelope(given)
    const event = text(memberOf(value, 'e'))
    if (event === 'trade') return content([row(value, BINANCE_TRADE)])
    if (event === 'aggTrade') return content([row(value, BINANCE_AGGREGATE)])
    if (event !== undefined) return { leftOut: `messages of the kind ${event}` }
    if (memberOf(value, 'result') === null) return { leftOut: 'answers to a subscription' }
    if (memberOf(value, 'lastUpdateId') !== undefined) return { leftOut: 'snapshots of the book' }
    if (memberOf(value, 'u') !== undefined && memberOf(value, 'b') !== undefined) return { leftOut: 'quotes' }
    return undefined
  },
}

const binanceKlineStream: JsonDialect = {
  dialect: 'Binance stream of klines',
  kind: 'candles',
  read(given) {
    const value = inEnvelope(given)
    const kline = memberOf(value, 'k')
    if (!is(value, 'e', 'kline')) return undefined
    if (memberOf(kline, 'x') !== true) return { leftOut: 'candles that were not closed' }
    return content([row(kline, { time: 't', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v', symbol: 's' })])
  },
}

const coinbase: JsonDialect = {
  dialect: 'Coinbase matches',
  kind: 'trades',
  read(value) {
    const type = text(memberOf(value, 'type'))
    if (type === undefined || memberOf(value, 'product_id') === undefined) {
      return type === 'subscriptions' ? { leftOut: 'messages of the kind subscriptions' } : undefined
    }
    if (type !== 'match' && type !== 'last_match') return { leftOut: `messages of the kind ${type}` }
    const found = row(value, {
      id: 'trade_id',
      time: 'time',
      price: 'price',
      qty: 'size',
      side: 'side',
      symbol: 'product_id',
    })
    // The format has the maker side.
    return content([found && { ...found, side: otherSide(found.side) }])
  },
}

const otherSide = (side = ''): string => (side === 'buy' ? 'sell' : side === 'sell' ? 'buy' : side)

/** REST format with the maker side. */
const coinbaseTrades: JsonDialect = {
  dialect: 'trades of the Coinbase interface',
  kind: 'trades',
  isAnyOrder: true,
  read(value) {
    if (
      memberOf(value, 'trade_id') === undefined ||
      memberOf(value, 'size') === undefined ||
      memberOf(value, 'product_id') !== undefined
    )
      return undefined
    const found = row(value, { id: 'trade_id', time: 'time', price: 'price', qty: 'size', side: 'side' })
    return content([found && { ...found, side: otherSide(found.side) }])
  },
}

const bitstamp: JsonDialect = {
  dialect: 'Bitstamp stream of trades',
  kind: 'trades',
  read(value) {
    const event = text(memberOf(value, 'event'))
    const channel = text(memberOf(value, 'channel')) ?? ''
    if (event === undefined || memberOf(value, 'data') === undefined) return undefined
    if (event !== 'trade') return { leftOut: `messages of the kind ${event}` }
    const data = memberOf(value, 'data')
    const price = memberOf(data, 'price_str') === undefined ? 'price' : 'price_str'
    const qty = memberOf(data, 'amount_str') === undefined ? 'amount' : 'amount_str'
    const found = row(data, { id: 'id', time: 'microtimestamp', price, qty, side: 'type' })
    const side = found?.side === '0' ? 'buy' : found?.side === '1' ? 'sell' : (found?.side ?? '')
    return content([found && { ...found, side, symbol: channel.replace(/^.*_/, '') }])
  },
}

const bitstampTrades: JsonDialect = {
  dialect: 'trades of the Bitstamp interface',
  kind: 'trades',
  isAnyOrder: true,
  read(value) {
    const found = row(value, { id: 'tid', time: 'date', price: 'price', qty: 'amount', side: 'type' })
    const side = found?.side === '0' ? 'buy' : found?.side === '1' ? 'sell' : (found?.side ?? '')
    return found === undefined ? undefined : content([{ ...found, side }])
  },
}

const bybit: JsonDialect = {
  dialect: 'Bybit stream of trades',
  kind: 'trades',
  read(value) {
    const topic = text(memberOf(value, 'topic'))
    if (topic === undefined)
      return memberOf(value, 'op') === undefined ? undefined : { leftOut: 'answers to a subscription' }
    if (!topic.startsWith('publicTrade')) return { leftOut: `messages of the kind ${topic.replace(/\..*$/, '')}` }
    return content(
      items(memberOf(value, 'data')).map((each) =>
        row(each, { id: 'i', time: 'T', price: 'p', qty: 'v', side: 'S', symbol: 's' }),
      ),
    )
  },
}

const okx: JsonDialect = {
  dialect: 'OKX stream of trades',
  kind: 'trades',
  read(value) {
    const channel = text(memberOf(memberOf(value, 'arg'), 'channel'))
    if (channel === undefined)
      return memberOf(value, 'event') === undefined ? undefined : { leftOut: 'answers to a subscription' }
    if (!channel.startsWith('trades') || memberOf(value, 'data') === undefined)
      return { leftOut: `messages of the kind ${channel}` }
    return content(items(memberOf(value, 'data')).map((each) => row(each, OKX_TRADE)))
  },
}

const OKX_TRADE = { id: 'tradeId', time: 'ts', price: 'px', qty: 'sz', side: 'side', symbol: 'instId' } as const

const okxTrades: JsonDialect = {
  dialect: 'trades of the OKX interface',
  kind: 'trades',
  isAnyOrder: true,
  read: (value) => (memberOf(value, 'tradeId') === undefined ? undefined : content([row(value, OKX_TRADE)])),
}

const kraken: JsonDialect = {
  dialect: 'Kraken stream of trades',
  kind: 'trades',
  read(value) {
    const channel = text(memberOf(value, 'channel'))
    if (channel === undefined || memberOf(value, 'event') !== undefined) return undefined
    if (channel !== 'trade' || memberOf(value, 'data') === undefined)
      return { leftOut: `messages of the kind ${channel}` }
    return content(
      items(memberOf(value, 'data')).map((each) =>
        row(each, { id: 'trade_id', time: 'timestamp', price: 'price', qty: 'qty', side: 'side', symbol: 'symbol' }),
      ),
    )
  },
}

const barter: JsonDialect = {
  dialect: 'barter events',
  kind: 'trades',
  read(value) {
    const [what] = isJsonObject(value) ? value.keys() : []
    if (what === 'Reconnecting' || value === 'Reconnecting') return { leftOut: 'events of a connection that was lost' }
    const item = memberOf(value, 'Item')
    if (item === undefined) return undefined
    const event = memberOf(item, 'Ok')
    if (event === undefined) return { leftOut: 'events that are errors' }
    const trade = memberOf(memberOf(event, 'kind'), 'Trade')
    if (trade === undefined) return { leftOut: 'events that are no trades' }
    const found = row(trade, { id: 'id', price: 'price', qty: 'amount', side: 'side' })
    const about = row(event, { time: 'time_exchange', symbol: 'instrument' })
    return content([found && about && { ...found, ...about }])
  },
}

const hyperliquid: JsonDialect = {
  dialect: 'Hyperliquid trades',
  kind: 'trades',
  read(value) {
    const rows = isJsonArray(memberOf(value, 'data')) ? items(memberOf(value, 'data')) : [value]
    if (rows.some((each) => memberOf(each, 'coin') === undefined || memberOf(each, 'tid') === undefined))
      return undefined
    const read = rows.map((each) =>
      row(each, { id: 'tid', time: 'time', price: 'px', qty: 'sz', side: 'side', symbol: 'coin' }),
    )
    return content(
      read.map((each) => each && { ...each, side: each.side === 'A' ? 'sell' : each.side === 'B' ? 'buy' : '' }),
    )
  },
}

const htxKlines: JsonDialect = {
  dialect: "candles of HTX's interface",
  kind: 'candles',
  isAnyOrder: true,
  read(value) {
    if (memberOf(value, 'count') === undefined || memberOf(value, 'vol') === undefined) return undefined
    return content([
      row(value, { time: 'id', open: 'open', high: 'high', low: 'low', close: 'close', volume: 'amount' }),
    ])
  },
}

/** Mid, bid and ask, each optional; incomplete candles are skipped. */
const oanda: JsonDialect = {
  dialect: "candles of OANDA's interface",
  kind: 'candles',
  read(value) {
    const sides = ['mid', 'bid', 'ask'].map((side) => memberOf(value, side)).filter((side) => side !== undefined)
    const [prices] = sides
    const complete = memberOf(value, 'complete')
    if (prices === undefined || typeof complete !== 'boolean') return undefined
    const [time, figures] = [
      row(value, { time: 'time', volume: 'volume' }),
      row(prices, { open: 'o', high: 'h', low: 'l', close: 'c' }),
    ]
    if (time === undefined || figures === undefined) return undefined
    return complete ? { rows: [{ ...time, ...figures }] } : { leftOut: 'candles that are not complete' }
  },
}

/** Candles by date below a key such as `Time Series (5min)`, newest first; intraday times are local. */
const alphaVantage: JsonDialect = {
  dialect: "candles of Alpha Vantage's interface",
  kind: 'candles',
  isAnyOrder: true,
  read(value) {
    const about = memberOf(value, 'Meta Data')
    const series = isJsonObject(value) ? [...value].find(([name]) => /time series/i.test(name))?.[1] : undefined
    if (!isJsonObject(about) || !isJsonObject(series)) return undefined
    const valueOf = (what: string): string | undefined => text([...about].find(([name]) => name.endsWith(what))?.[1])
    const zone = valueOf('. Time Zone')
    return content(
      [...series].map(([time, figures]) => {
        const found = isJsonObject(figures) ? numbered(figures) : undefined
        return found && { ...found, time: time.includes(':') && zone !== undefined ? `${time} ${zone}` : time }
      }),
    )
  },
}

/** Members such as `1. open`, or `1a. open (USD)`. */
function numbered(figures: JsonObject): JsonRow | undefined {
  const of = (field: string): string | undefined =>
    text([...figures].find(([name]) => new RegExp(`^\\d+a?\\. ${field}\\b`).test(name))?.[1])
  const [open, high, low, close, volume = ''] = ['open', 'high', 'low', 'close', 'volume'].map(of)
  if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined
  return { open, high, low, close, volume }
}

/** Objects with common member names: those of the specification, of ccxt and of most interfaces. */
function named(kind: RowKind, fields: readonly Field[], wanted: readonly Field[]): JsonDialect['read'] {
  return (value) => {
    if (!isJsonObject(value)) return undefined
    const found: Partial<Record<Field, string>> = {}
    for (const [key, member] of value) {
      const bare = bareHeader(key)
      const field = fields.find((each) => found[each] === undefined && isNameOf(each, bare))
      const cell = typeof member === 'boolean' ? String(member) : text(member)
      if (field !== undefined && cell !== undefined) found[field] = cell
    }
    if (kind === 'trades' && found.side === undefined && is(value, 'type', 'buy', 'sell')) {
      found.side = text(memberOf(value, 'type')) ?? ''
    }
    return wanted.every((field) => found[field] !== undefined) ? { rows: [found] } : undefined
  }
}

const namedTrades: JsonDialect = {
  dialect: 'trades as JSON objects',
  kind: 'trades',
  isAnyOrder: true,
  read: named('trades', ['id', 'time', 'price', 'qty', 'side', 'is_buyer_maker', 'symbol'], ['time', 'price', 'qty']),
}

const namedCandles: JsonDialect = {
  dialect: 'candles as JSON objects',
  kind: 'candles',
  isAnyOrder: true,
  read: named(
    'candles',
    ['time', 'open', 'high', 'low', 'close', 'volume', 'symbol'],
    ['time', 'open', 'high', 'low', 'close', 'volume'],
  ),
}

/** All formats; the first that accepts an element is chosen. */
export const OBJECT_DIALECTS: readonly JsonDialect[] = [
  ...[binanceStream, binanceKlineStream, coinbase, bitstamp, bybit, okx, kraken, barter, hyperliquid],
  ...[coinbaseTrades, bitstampTrades, okxTrades, oanda, alphaVantage, htxKlines, namedCandles, namedTrades],
]
