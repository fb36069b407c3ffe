/**
 * The trading service from a program: its calls and its stream, typed, with the retries that the specification allows.
 *
 * Invariant: an order creation is sent once, and decimal values stay text.
 */
import type { LiveTime } from '../../adapter/live/live-time.ts'
import { machineRandom } from '../../adapter/live/machine-clocks.ts'
import { MachineLiveTime } from '../../adapter/live/machine-live-time.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { notSent, OrderPlacer } from '../../adapter/live/orders/order-placer.ts'
import { ClientBudget, type BudgetState } from '../../adapter/live/rest/client-budget.ts'
import { MutationQueue, type OnLimit } from '../../adapter/live/rest/mutation-queue.ts'
import { ServiceClient } from '../../adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../../adapter/live/rest/undici-transport.ts'
import { streamUrlOf } from '../../adapter/live/stream/stream-connection.ts'
import { WsStreamConnection } from '../../adapter/live/stream/ws-stream-connection.ts'
import type { BalancesJson } from '../../domain/balances.ts'
import { candleToJson, type CandleInterval, type CandleJson, type SHORT_CANDLE_INTERVALS } from '../../domain/candle.ts'
import { ExchangeError, invariant, throwIfAborted } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { decodeOrderRequest, type DecodedOrderRequest } from '../../domain/order-request.ts'
import type { OrderJson, OrderStatus, Side } from '../../domain/order.ts'
import type { PortfolioJson } from '../../domain/portfolio.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { tickerToJson, type TickerJson } from '../../domain/ticker.ts'
import { type FillJson, tradeToJson, type TradeJson } from '../../domain/trade.ts'
import { eventsOf } from '../run-events.ts'
import { followMarkets, type MarketEvent } from './market-events.ts'
import { fillJson, orderJson, portfolioJson } from './service-json.ts'

/** Options of a client. */
export interface TradingClientOptions {
  /** Base URL of the service, such as `http://127.0.0.1:8080/v1`. */
  readonly url: string
  /** Key of the account; omit it to read markets only. */
  readonly apiKey?: string | undefined
  /** Time limit of a request, milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Time for which an order without an answer is looked for before it counts as absent, milliseconds. Default: 30,000.
   */
  readonly settleMs?: number | undefined
  /** Whether orders that exceed the rate limit of the key wait or are refused. Default: `wait`. */
  readonly onLimit?: 'wait' | 'refuse' | undefined
  /** Receives what a person should know: skipped rows, failed reads that are retried. Default: nothing is reported. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** An order to be placed, in the form of the specification. */
export type NewOrder =
  /** Rests until it is filled or cancelled. */
  | {
      /** Market, such as `BTC_USD`. */
      readonly symbol: string
      /** Whether the base asset is bought or sold. */
      readonly side: Side
      /** Kind of order. */
      readonly type: 'LIMIT'
      /** Decimal text, with the decimals that the market allows. */
      readonly price: string
      /** Decimal text, with the decimals that the market allows. */
      readonly qty: string
    }
  /** Executed at once at the prices of the book. */
  | {
      /** Market, such as `BTC_USD`. */
      readonly symbol: string
      /** Whether the base asset is bought or sold. */
      readonly side: Side
      /** Kind of order. */
      readonly type: 'MARKET'
      /** Decimal text, with the decimals that the market allows. */
      readonly qty: string
    }

/** Outcome of an order creation. */
export type PlaceResult =
  /** The order exists. */
  | {
      readonly type: 'placed'
      /** Its state at that moment. */
      readonly order: OrderJson
      /** True if its answer was lost, and it was found among the orders of the account. */
      readonly isFound: boolean
    }
  /** Nothing was executed. */
  | {
      readonly type: 'refused'
      /** Code and message of the service. */
      readonly refusal: Refusal
    }
  /** The order was not sent, or there was no answer and it is not among the orders of the account. */
  | {
      readonly type: 'absent'
      /** Why it was not sent, or why there was no answer. */
      readonly reason: string
    }
  /** The order may exist or not: look at `openOrders` before you place another one. */
  | {
      readonly type: 'unknown'
      /** Why this is not known. */
      readonly reason: string
    }

/** Outcome of a cancel. */
export type CancelResult =
  /** The order is cancelled. */
  | {
      readonly type: 'cancelled'
      /** Its final state; undefined if the service cannot be read. */
      readonly order: OrderJson | undefined
    }
  /** Nothing was cancelled. */
  | {
      readonly type: 'refused'
      /** Code and message of the service. */
      readonly refusal: Refusal
    }
  /** There was no answer, also after retries: another cancel is safe. */
  | {
      readonly type: 'unknown'
      /** Why this is not known. */
      readonly reason: string
    }

/** Which orders to list. */
export interface OrderFilter {
  /** Only orders of this market. */
  readonly symbol?: string
  /** Only orders with this status. */
  readonly status?: OrderStatus
  /** Number of orders per page. Default: 50. */
  readonly limit?: number
  /** Number of the page, from 1. Default: 1. */
  readonly page?: number
}

/** Which candles to read. */
export interface CandleFilter {
  /** From this time, Unix milliseconds. If there are more candles than `limit`, the oldest ones are left out. */
  readonly from?: number
  /** Up to before this time, Unix milliseconds. */
  readonly to?: number
  /** Maximum number of candles, up to 1000: the newest ones of the range. Default: 500. */
  readonly limit?: number
}

/** Length of a candle that the service has. */
export type ServiceInterval = Exclude<CandleInterval, keyof typeof SHORT_CANDLE_INTERVALS>

/** Markets to follow. */
export interface StreamOptions {
  /** Markets whose trades are reported. */
  readonly trades?: readonly string[]
  /** Markets whose tickers are reported. */
  readonly tickers?: readonly string[]
  /** Ends the stream. */
  readonly signal?: AbortSignal
}

const SETTLE_MS = 30_000
/** How long the orders that match must stay the same before one of them is taken for ours. */
const HOLD_MS = 1_000
const MAX_ROWS = 500
const ROWS = 50
const TRADES = 100

/** A client of the trading service. Close it to let the process end. */
export class TradingClient {
  readonly #time: LiveTime = new MachineLiveTime()
  readonly #url: string
  readonly #transport: UndiciTransport
  readonly #calls: ServiceClient
  readonly #budget: ClientBudget
  readonly #gate: MutationQueue
  readonly #placer: OrderPlacer
  readonly #onLimit: OnLimit
  readonly #onWarning: (text: string) => void
  readonly #closed = new AbortController()
  #marketsBySymbol: ReadonlyMap<string, Market> = new Map()

  /** @throws {InputError} for a URL or key that is not one */
  constructor(options: TradingClientOptions) {
    const { url, apiKey, timeoutMs, settleMs = SETTLE_MS, onLimit = 'wait', onWarning = () => undefined } = options
    const time = this.#time
    this.#transport = new UndiciTransport({
      ...{ url, apiKey, proxy: URL.canParse(url) ? proxyFor(url) : undefined },
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    this.#url = url
    this.#onLimit = onLimit
    this.#onWarning = onWarning
    this.#budget = new ClientBudget({ time })
    this.#gate = new MutationQueue({ time, budget: this.#budget })
    this.#calls = new ServiceClient({
      ...{ transport: this.#transport, budget: this.#budget, time, random: machineRandom, onWarning },
      onUnlisted: (symbol) => onWarning(`orders and fills in ${symbol}, which is not listed, are left out`),
    })
    this.#placer = new OrderPlacer({
      ...{ calls: this.#calls, gate: this.#gate, time, onLimit, settleMs, holdMs: HOLD_MS },
      onFault: ({ message }) => onWarning(message),
    })
  }

  /** Markets of the service. @throws {ExchangeError} after the last retry, as every read */
  async markets(): Promise<readonly Market[]> {
    const markets = await this.#calls.markets()
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    return markets
  }

  /** Tickers of all markets. */
  async tickers(): Promise<readonly TickerJson[]> {
    return this.#inMarkets(await this.#calls.tickers(), tickerToJson)
  }

  /** Ticker of a market. */
  async ticker(symbol: string): Promise<TickerJson> {
    return this.#inMarket(await this.#calls.ticker(symbol), tickerToJson)
  }

  /** Last public trades, newest first. @param limit  number of trades, 1 to 500 */
  async trades(symbol: string, limit = TRADES): Promise<readonly TradeJson[]> {
    return this.#inMarkets(await this.#calls.trades(symbol, limit), tradeToJson)
  }

  /** Newest candles of a range, oldest first; the last may still be running. Intervals without a trade have none. */
  async candles(
    symbol: string,
    interval: ServiceInterval,
    { from, to, limit = MAX_ROWS }: CandleFilter = {},
  ): Promise<readonly CandleJson[]> {
    const range = { ...(from !== undefined && { from: String(from) }), ...(to !== undefined && { to: String(to) }) }
    return this.#inMarkets(await this.#calls.candles(symbol, interval, limit, range), candleToJson)
  }

  /**
   * Places an order. It is sent once. Without an answer, the orders of the account show what became of it; a service
   * that does not answer is waited for. The key needs the scopes ORDER_CREATE and ORDER_READ.
   */
  async placeOrder(order: NewOrder): Promise<PlaceResult> {
    const decode = (): DecodedOrderRequest => decodeOrderRequest(order, (symbol) => this.#marketsBySymbol.get(symbol))
    let decoded = decode()
    if (!decoded.ok && decoded.refusal.code === 'MARKET_NOT_FOUND') {
      try {
        await this.markets()
      } catch (error) {
        return notSent(error)
      }
      decoded = decode()
    }
    if (!decoded.ok) return { type: 'refused', refusal: decoded.refusal }
    const market = this.#listed(decoded.request.symbol)
    const outcome = await this.#placer.place(decoded.request)
    return outcome.type === 'placed' ? { ...outcome, order: orderJson(outcome.order, market) } : outcome
  }

  /** Cancels an order. Lost answers are retried, because a repeated cancel does no harm. */
  async cancelOrder(orderId: string): Promise<CancelResult> {
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const refuse = (): void => resolve(false)
      this.#gate.submit({
        ...{ urgency: 'cancel', onLimit: this.#onLimit, refuse },
        send: () => {
          resolve(true)
          return true
        },
      })
    })
    if (!isAdmitted) return { type: 'refused', refusal: { code: 'RATE_LIMITED', message: 'the rate limit is used up' } }
    const answer = await this.#calls.cancel(orderId)
    if (answer.type === 'cancelled') {
      const { order } = answer
      return { type: 'cancelled', order: await (order === undefined ? this.#read(orderId) : this.#json(order)) }
    }
    if (answer.type === 'refused' && answer.refusal.code === 'ORDER_NOT_CANCELLABLE') {
      // The answer to the attempt that cancelled it may have been lost.
      const order = await this.#read(orderId)
      if (order?.status === 'CANCELLED') return { type: 'cancelled', order }
    }
    return answer
  }

  /** One page of the account's orders, newest first. */
  async orders({ limit = ROWS, page = 1, ...filter }: OrderFilter = {}): Promise<readonly OrderJson[]> {
    const { orders } = await this.#calls.orders({ ...filter, limit, page }, 'poll')
    return this.#inMarkets(orders, orderJson)
  }

  /** Every open order of the account. */
  async openOrders(): Promise<readonly OrderJson[]> {
    return this.#inMarkets(await this.#calls.openOrders('poll'), orderJson)
  }

  /** An order of the account; undefined if there is none with that id. */
  async order(orderId: string): Promise<OrderJson | undefined> {
    const order = await this.#calls.order(orderId, 'poll')
    return order === undefined ? undefined : this.#json(order)
  }

  /** Last fills of the account, newest first. @param limit  number of fills, 1 to 500 */
  async fills(limit = TRADES): Promise<readonly FillJson[]> {
    return this.#inMarkets(await this.#calls.fills(limit, 'poll'), fillJson)
  }

  /** Balances of the account by asset. */
  async balances(): Promise<BalancesJson> {
    return Object.fromEntries(await this.#calls.balances('poll'))
  }

  /** Value of the account. */
  async portfolio(): Promise<PortfolioJson> {
    return portfolioJson(await this.#calls.portfolio('poll'))
  }

  /**
   * Trades and tickers as they happen: `for await (const event of client.stream({ trades: ['BTC_USD'] }))`. A lost
   * connection is restored, and its trades are filled in. Leave the loop to end it.
   */
  async *stream({ trades = [], tickers = [], signal }: StreamOptions): AsyncGenerator<MarketEvent, void, undefined> {
    throwIfAborted(signal)
    await this.#knowMarkets()
    if ([...trades, ...tickers].some((symbol) => !this.#marketsBySymbol.has(symbol))) await this.markets()
    const markets = (symbols: readonly string[]): readonly Market[] => [...new Set(symbols)].map(this.#listed)
    const url = streamUrlOf(this.#url)
    const stream = new WsStreamConnection({ url, proxy: proxyFor(url), random: machineRandom })
    const parts = { trades: markets(trades), tickers: markets(tickers), stream, onWarning: this.#onWarning }
    const closed = this.#closed.signal
    yield* eventsOf<MarketEvent, undefined>({
      signal: signal === undefined ? closed : AbortSignal.any([signal, closed]),
      begin: (push, end) =>
        new Promise((resolve) => {
          const stop = followMarkets({ ...parts, reads: this.#calls, time: this.#time, random: machineRandom, push })
          const onEnd = (): void => {
            stop()
            resolve(undefined)
          }
          if (end.aborted) onEnd()
          else end.addEventListener('abort', onEnd, { once: true })
        }),
      last: () => ({ type: 'closed' }),
    })
  }

  /** The rest of the rate limits of the key, as far as this client knows. */
  get budget(): BudgetState {
    return this.#budget.snapshot()
  }

  /** Ends streams and waits, and closes the connections. */
  async close(): Promise<void> {
    this.#closed.abort()
    for (const each of [this.#gate, this.#placer, this.#budget, this.#calls]) each.close()
    await this.#transport.close()
  }

  /** The same as `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #knowMarkets(): Promise<void> {
    if (this.#marketsBySymbol.size === 0) await this.markets()
  }

  readonly #listed = (symbol: string): Market => {
    const market = this.#marketsBySymbol.get(symbol)
    if (market === undefined) throw new ExchangeError('MARKET_NOT_FOUND', `no market '${symbol}' is listed`)
    return market
  }

  /** Converts rows, each of a listed market. */
  async #inMarkets<Row extends { readonly symbol: string }, Json>(
    rows: readonly Row[],
    toJson: (row: Row, market: Market) => Json,
  ): Promise<readonly Json[]> {
    if (rows.some(({ symbol }) => !this.#marketsBySymbol.has(symbol))) await this.markets()
    return rows.map((row) => toJson(row, this.#listed(row.symbol)))
  }

  async #inMarket<Row extends { readonly symbol: string }, Json>(
    row: Row,
    toJson: (row: Row, market: Market) => Json,
  ): Promise<Json> {
    const [json] = await this.#inMarkets([row], toJson)
    invariant(json !== undefined, 'a row has its JSON')
    return json
  }

  #json(order: Parameters<typeof orderJson>[0]): Promise<OrderJson> {
    return this.#inMarket(order, orderJson)
  }

  async #read(orderId: string): Promise<OrderJson | undefined> {
    try {
      return await this.order(orderId)
    } catch (error) {
      if (error instanceof ExchangeError) return undefined
      throw error
    }
  }
}
