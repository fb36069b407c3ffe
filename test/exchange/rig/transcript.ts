/**
 * Tests of an exchange as text: one command or question a line, behind the bar what the exchange answered.
 *
 *     alice credits 250 USD      | credited
 *     alice buys 2 BTC_USD at 100 | #1 OPEN
 *     bob sells 1 BTC_USD        | #2 FILLED: 1 at 100 with #1
 *     BTC_USD offers 1 at 99 to #1 | #1 FILLED: 1 at 99 with #3
 *     crowd reduces #4 by 2      | #4 OPEN
 *     alice has USD              | 50 available, 100 locked
 *
 * A script is played by running what stands before the bars and writing what is answered behind them; a test compares
 * the result with the script. The time is 2025-01-01T00:00:00.000Z until a line says `wait 90s`; units are ms, s, m, h.
 * Fees are shown where there are any, the maker's first.
 */
import type { CandleInterval } from '../../../src/domain/candle.ts'
import { ALL_CANDLE_INTERVALS, candleToJson } from '../../../src/domain/candle.ts'
import { CROWD } from '../../../src/domain/command.ts'
import { assertNever, invariant } from '../../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import { formatTrimmed, parseAmount } from '../../../src/domain/fixed-point.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import { orderToJson } from '../../../src/domain/order.ts'
import type { Order, OrderRequest, Side } from '../../../src/domain/order.ts'
import { portfolioToJson } from '../../../src/domain/portfolio.ts'
import { tickerToJson } from '../../../src/domain/ticker.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { parseTake, units } from './take-line.ts'

export const START = Date.UTC(2025, 0, 1)

/** Runs a script on a new exchange and returns it as it was really answered. */
export function play(exchange: Exchange, script: string): string {
  const player = new Player(exchange)
  return commandsOf(script)
    .map((command) => tidy(`${command} | ${player.answer(command)}`))
    .join('\n')
}

/** The script with its blanks evened out and its comments taken away, to compare with what was played. */
export const asWritten = (script: string): string => linesOf(script).map(tidy).join('\n')

const linesOf = (script: string): string[] =>
  script
    .split('\n')
    .map((line) => line.replace(/--.*/, '').trim())
    .filter((line) => line !== '')

const commandsOf = (script: string): string[] => linesOf(script).map((line) => line.replace(/\|.*/, '').trim())

const tidy = (line: string): string =>
  line
    .replace(/\s+/g, ' ')
    .replace(/ \|\s*$/, '')
    .trim()

const UNITS_OF_TIME: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

class Player {
  readonly #exchange: Exchange
  #now = START

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  answer(line: string): string {
    const [subject = '', verb = '', ...rest] = line.split(' ')
    if (subject === 'wait') return this.#wait(verb)
    const ask = this.#questions[verb]
    invariant(ask !== undefined, `no such verb in '${line}'`)
    return ask(subject, rest)
  }

  #wait(duration: string): string {
    const [, count, unit] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? []
    this.#now += Number(count) * (UNITS_OF_TIME[unit ?? ''] ?? Number.NaN)
    return ''
  }

  readonly #questions: Readonly<Record<string, (subject: string, rest: readonly string[]) => string>> = {
    credits: (account, [amount, asset]) => this.#credit(account, asset, amount),
    debits: (account, [amount, asset]) => this.#credit(account, asset, `-${amount}`),
    buys: (account, rest) => this.#place(account, 'BUY', rest),
    sells: (account, rest) => this.#place(account, 'SELL', rest),
    cancels: (account, [id]) => this.#execute({ type: 'cancel', account, orderId: Number(id?.slice(1)) }),
    reduces: (account, [id, , qty]) => this.#reduce(account, Number(id?.slice(1)), qty),
    prints: (symbol, rest) => this.#print(symbol, rest),
    offers: (symbol, rest) => this.#offer(symbol, rest.join(' ')),

    has: (account, [asset]) => this.#balance(account, asset),
    order: (account, [id]) => this.#order(account, Number(id?.slice(1))),
    orders: (account) => ids(this.#exchange.orders(account, { limit: 100, page: 1 })),
    open: (account) => ids(this.#exchange.openOrders(account)),
    fills: (account) => this.#fills(account),
    portfolio: (account) => this.#portfolio(account),
    position: (account, [asset]) => this.#position(account, asset),
    book: (symbol) => this.#book(symbol),
    trades: (symbol) => this.#trades(symbol),
    ticker: (symbol) => this.#ticker(symbol),
    candles: (symbol, [interval]) => this.#candles(symbol, interval),
    audit: (asset) => this.#audit(asset),
  }

  // ---- commands

  #credit(account: string, asset = '', amount = ''): string {
    const parsed = parseAmount(amount, this.#scaleOf(asset))
    invariant(parsed.ok, `bad amount ${amount}`)
    return this.#execute({ type: 'credit', account, asset, amount: parsed.value })
  }

  #place(account: string, side: Side, [qtyText = '', symbol = '', , priceText]: readonly string[]): string {
    const market = this.#exchange.markets.find((listed) => listed.symbol === symbol)
    const qty = units(qtyText, market?.qtyPrecision ?? 0)
    const request: OrderRequest =
      priceText === undefined
        ? { symbol, side, type: 'MARKET', qty }
        : { symbol, side, type: 'LIMIT', qty, price: units(priceText, market?.pricePrecision ?? 0) }
    return this.#execute({ type: 'place', account, request })
  }

  #print(symbol: string, [side, qty = '', , price = '']: readonly string[]): string {
    const market = this.#marketOf(symbol)
    const amounts = { price: units(price, market.pricePrecision), qty: units(qty, market.qtyPrecision) }
    return `trade ${this.#exchange.print({ symbol, time: this.#now, ...amounts, isBuyerMaker: side === 'sell' })}`
  }

  #offer(symbol: string, line: string): string {
    const events = this.#exchange.execute(parseTake(this.#marketOf(symbol), line, this.#now))
    const trades = events.flatMap((event) => (event.type === 'traded' ? [event] : []))
    return list(trades.map((trade) => `#${trade.taker.id} ${trade.taker.status}: ${this.#match(trade)}`))
  }

  /** Of the crowd: no one else is asked to in a script. */
  #reduce(account: string, orderId: number, qtyText = ''): string {
    const order = this.#exchange.order(CROWD, orderId)
    invariant(account === CROWD && order !== undefined, `no order ${orderId} of the crowd`)
    const qty = units(qtyText, this.#marketOf(order.symbol).qtyPrecision)
    return this.#execute({ type: 'reduce', account, orderId, qty })
  }

  #execute(
    command:
      | { type: 'credit'; account: string; asset: string; amount: bigint }
      | { type: 'place'; account: string; request: OrderRequest }
      | { type: 'cancel'; account: string; orderId: number }
      | { type: 'reduce'; account: typeof CROWD; orderId: number; qty: number },
  ): string {
    return this.#describe(this.#exchange.execute({ ...command, time: this.#now }))
  }

  /** The state that the command left its order in, then its matches. */
  #describe(events: readonly ExchangeEvent[]): string {
    const matches = events.flatMap((event) => (event.type === 'traded' ? [this.#match(event)] : []))
    const last = events.at(-1)
    invariant(last !== undefined, 'a command was not answered')
    const outcome = outcomeOf(last)
    return matches.length === 0 ? outcome : `${outcome}: ${matches.join(', ')}`
  }

  #match({ trade, maker, makerFee, takerFee }: Extract<ExchangeEvent, { type: 'traded' }>): string {
    const fee = (amount: bigint): string =>
      formatTrimmed(amount, this.#scaleOf(this.#marketOf(trade.symbol).quoteAsset))
    const fees = makerFee === 0n && takerFee === 0n ? '' : ` for ${fee(makerFee)} and ${fee(takerFee)}`
    return `${this.#qtyAtPrice(trade)} with #${maker.id}${fees}`
  }

  // ---- reads

  #balance(account: string, asset = ''): string {
    const balance = this.#exchange.balances(account).get(asset)
    invariant(balance !== undefined, `no asset ${asset}`)
    const amount = (value: bigint): string => formatTrimmed(value, this.#scaleOf(asset))
    return `${amount(balance.available)} available, ${amount(balance.locked)} locked`
  }

  #order(account: string, id: number): string {
    const order = this.#exchange.order(account, id)
    if (order === undefined) return 'none'
    const market = this.#marketOf(order.symbol)
    const json = orderToJson(order, market)
    const average = json.averagePrice === undefined ? '' : `, average ${json.averagePrice}`
    const fee = order.fee === 0n ? '' : `, fee ${formatTrimmed(order.fee, this.#scaleOf(market.quoteAsset))}`
    return `${json.status} ${json.filledQty} of ${json.qty}${average}${fee}`
  }

  #fills(account: string): string {
    return list(
      this.#exchange.fills(account, 500).map(({ trade, side, orderId, isMaker, fee }) => {
        const charged =
          fee === 0n ? '' : ` for ${formatTrimmed(fee, this.#scaleOf(this.#marketOf(trade.symbol).quoteAsset))}`
        return `${side} #${orderId} ${isMaker ? 'maker' : 'taker'} ${this.#qtyAtPrice(trade)}${charged}`
      }),
    )
  }

  #portfolio(account: string): string {
    const json = portfolioToJson(this.#exchange.portfolio(account, this.#now))
    const partial = json.partial ? ', partial' : ''
    const figures = `equity ${json.equity}, baseline ${json.baselineEquity}, pnl ${json.pnl} (${json.pnlPercent}%)`
    return `${figures}, since ${clock(json.baselineAt)}, as of ${clock(json.asOf)}${partial}`
  }

  #position(account: string, asset = ''): string {
    const { positions } = portfolioToJson(this.#exchange.portfolio(account, this.#now))
    const position = positions.find((row) => row.asset === asset)
    invariant(position !== undefined, `no position ${asset}`)
    const { available, locked, total, markPrice, value } = position
    return `${available} + ${locked} = ${total}, mark ${markPrice}, value ${value}`
  }

  #book(symbol: string): string {
    const market = this.#marketOf(symbol)
    const { bids, asks } = this.#exchange.depth(symbol)
    const side = (levels: typeof bids): string =>
      list(
        levels.map(
          ({ price, qty }) => `${decimal(qty, market.qtyPrecision)} at ${decimal(price, market.pricePrecision)}`,
        ),
      )
    return `${side(bids)} / ${side(asks)}`
  }

  #trades(symbol: string): string {
    const trades = this.#exchange.trades(symbol, 500)
    return list(trades.map((trade) => `${trade.id} ${trade.isBuyerMaker ? 'sell' : 'buy'} ${this.#qtyAtPrice(trade)}`))
  }

  #ticker(symbol: string): string {
    const json = tickerToJson(this.#exchange.ticker(symbol, this.#now), this.#marketOf(symbol))
    const prices = `last ${json.lastPrice} open ${json.openPrice} high ${json.high} low ${json.low}`
    const change = `change ${json.priceChange} (${json.priceChangePercent}%)`
    return `${prices} volume ${json.volume} for ${json.quoteVolume} ${change}`
  }

  #candles(symbol: string, interval = ''): string {
    invariant(isInterval(interval), `no interval ${interval}`)
    const market = this.#marketOf(symbol)
    return list(
      this.#exchange.candles(symbol, { interval, limit: 1000 }).map((candle) => {
        const { time, open, high, low, close, volume } = candleToJson(candle, market)
        return `${clock(new Date(time).toISOString())} ${open} ${high} ${low} ${close} x ${volume}`
      }),
    )
  }

  #audit(asset: string): string {
    const line = this.#exchange.audit().find((row) => row.asset === asset)
    invariant(line !== undefined, `no asset ${asset}`)
    const amount = (value: bigint): string => formatTrimmed(value, line.scale)
    return `${amount(line.credited)} = ${amount(line.held)} held + ${amount(line.fees)} fees`
  }

  // ---- words

  #marketOf(symbol: string): MarketConfig {
    const market = this.#exchange.markets.find((listed) => listed.symbol === symbol)
    invariant(market !== undefined, `no market ${symbol}`)
    return market
  }

  #scaleOf(asset: string): number {
    return this.#exchange.scales.get(asset) ?? 0
  }

  #qtyAtPrice({ symbol, price, qty }: Trade): string {
    const market = this.#marketOf(symbol)
    return `${decimal(qty, market.qtyPrecision)} at ${decimal(price, market.pricePrecision)}`
  }
}

function outcomeOf(event: ExchangeEvent): string {
  switch (event.type) {
    case 'order-accepted':
    case 'order-cancelled':
    case 'order-reduced':
      return `#${event.order.id} ${event.order.status}`
    case 'traded':
      return `#${event.taker.id} ${event.taker.status}`
    case 'credited':
      return 'credited'
    case 'order-refused':
    case 'cancel-refused':
    case 'credit-refused':
      return `refused ${event.refusal.code}`
    default:
      return assertNever(event)
  }
}

const decimal = (value: number | bigint, precision: number): string => formatTrimmed(value, precision)

const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))

const ids = (orders: readonly Order[]): string => list(orders.map(({ id }) => `#${id}`))

/** Day of the month and time: `1 00:00:00.000`. */
const clock = (iso: string): string => `${Number(iso.slice(8, 10))} ${iso.slice(11, 23)}`

const isInterval = (text: string): text is CandleInterval => Object.hasOwn(ALL_CANDLE_INTERVALS, text)
