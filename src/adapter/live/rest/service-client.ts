/** Client of the service's REST calls, over a transport and the budget of a key (section 4). */
import type { Candle, CandleInterval } from '../../../domain/candle.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Ticker } from '../../../domain/ticker.ts'
import { readBalances, type WireBalance, type WireBalances } from '../../../wire/wire-balances.ts'
import { readCandles } from '../../../wire/read-candle.ts'
import { attempt, Fields, type OnUnreadable, readArray, readRows, schemaFault } from '../../../wire/read-fields.ts'
import { type MarketOf, readMarketOf, readMarkets } from '../../../wire/read-market.ts'
import { readOneOrder, readOrder, readUnreadableOrder, type WireOrder } from '../../../wire/wire-order.ts'
import { readPortfolio, type WirePortfolio } from '../../../wire/wire-portfolio.ts'
import { readTicker } from '../../../wire/read-ticker.ts'
import { readFill, readTrades, type WireFill, type WireTrade } from '../../../wire/wire-trade.ts'
import type { LiveTime } from '../live-time.ts'
import { AnswerReports } from './answer-reports.ts'
import type { ClientBudget } from './client-budget.ts'
import { OrderMutations } from './order-mutations.ts'
import { pathPart, type RestTransport } from './rest-transport.ts'
import { type ReadRequest, RestReads } from './rest-reads.ts'
import { RetryWaits, type StartPatience } from './retry-waits.ts'
import {
  type CancelAnswer,
  type CreateAnswer,
  type OrderPage,
  type OrderQuery,
  type ReadPurpose,
  type ServiceCalls,
  UNREADABLE_ORDER,
  type UnreadableRow,
} from './service-calls.ts'

/** The markets that a service lists, by symbol. */
class MarketCatalog {
  readonly #bySymbol = new Map<string, Market>()
  readonly #reported = new Set<string>()
  readonly #onUnlisted: (symbol: string) => void

  /** @param onUnlisted  called once per symbol that occurs in orders or fills of the account and is not listed */
  constructor(onUnlisted: (symbol: string) => void) {
    this.#onUnlisted = onUnlisted
  }

  get isEmpty(): boolean {
    return this.#bySymbol.size === 0
  }

  /** Markets that are no longer listed or readable stay: there may be orders in them. */
  set(markets: readonly Market[]): void {
    for (const market of markets) this.#bySymbol.set(market.symbol, market)
  }

  readonly marketOf = (symbol: string): Market | undefined => this.#bySymbol.get(symbol)

  /** Whether an item of a list names an unlisted market. */
  isUnlisted(item: unknown): boolean {
    const symbol = symbolOf(item)
    return symbol !== undefined && !this.#bySymbol.has(symbol)
  }

  /** Whether its symbol was not reported yet. */
  isNews(item: unknown): boolean {
    return this.isUnlisted(item) && !this.#reported.has(symbolOf(item) ?? '')
  }

  /** Reports that an item is skipped. */
  report(item: unknown): void {
    const symbol = symbolOf(item)
    if (symbol === undefined || this.#reported.has(symbol)) return
    this.#reported.add(symbol)
    this.#onUnlisted(symbol)
  }
}

/** Undefined if there is no symbol, which the decoder reports. */
function symbolOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('symbol' in item)) return undefined
  return typeof item.symbol === 'string' ? item.symbol : undefined
}

export interface ServiceClientOptions {
  readonly transport: RestTransport
  readonly budget: ClientBudget
  readonly time: LiveTime
  /** Returns numbers in [0, 1), for the jitter of retries. */
  readonly random: () => number
  /** Attempts per read or cancel, including the first. Default: 5. */
  readonly attempts?: number
  /** Names of the query parameters of `/candles` (decision 3). Default: `interval` and `limit`. */
  readonly candleQuery?: { readonly interval: string; readonly limit: string }
  /**
   * Called once per symbol that occurs in orders or fills of the account and is not listed: such rows are skipped,
   * because their decimals are unknown.
   */
  readonly onUnlisted?: (symbol: string) => void
  /** Patience of a start; default: none. */
  readonly patience?: StartPatience | undefined
  /** Reports answers that violate the specification to the operator. */
  readonly onWarning?: ((text: string) => void) | undefined
  /** Whether an order is an open one of this process, for those reports; default: none is. */
  readonly isOwnOrder?: ((orderId: string) => boolean) | undefined
}

const ATTEMPTS = 5

export class ServiceClient implements ServiceCalls {
  readonly #reads: RestReads
  readonly #mutations: OrderMutations
  readonly #catalog: MarketCatalog
  readonly #backoff: RetryWaits
  readonly #options: ServiceClientOptions
  readonly #reports: AnswerReports
  /** The last readable balance of each asset. */
  #balances: WireBalances = new Map()

  constructor(options: ServiceClientOptions) {
    const { transport, budget, time, random, attempts = ATTEMPTS } = options
    const { onUnlisted = () => undefined, onWarning = () => undefined } = options
    this.#options = options
    this.#reports = new AnswerReports({ time, onWarning, isOwnOrder: options.isOwnOrder })
    this.#backoff = new RetryWaits({ time, random, attempts })
    this.#catalog = new MarketCatalog(onUnlisted)
    this.#reads = new RestReads({
      transport,
      budget,
      time,
      backoff: this.#backoff,
      patience: options.patience,
      onStrange: (failure) => {
        this.#reports.onStrangeAnswer(failure)
      },
    })
    const { marketOf } = this.#catalog
    this.#mutations = new OrderMutations({ transport, budget, backoff: this.#backoff, marketOf })
  }

  async markets(): Promise<readonly Market[]> {
    const markets = await this.#reads.read({ path: '/markets', purpose: undefined }, (body) =>
      readMarkets(body, this.#leaveOut('market')),
    )
    this.#catalog.set(markets)
    return markets
  }

  trades(symbol: string, limit: number): Promise<readonly WireTrade[]> {
    return this.#ofMarket(symbol, 'trades', { limit: String(limit) }, (body, market) =>
      readTrades(body, market, this.#leaveOut('trade')),
    )
  }

  /** @param range  `from` and `to` of decision 3 */
  candles(
    symbol: string,
    interval: CandleInterval,
    limit: number,
    range: Readonly<Record<string, string>> = {},
  ): Promise<readonly Candle[]> {
    const names = this.#options.candleQuery ?? { interval: 'interval', limit: 'limit' }
    return this.#ofMarket(
      symbol,
      'candles',
      { [names.interval]: interval, [names.limit]: String(limit), ...range },
      (body, market) => readCandles(body, market, this.#leaveOut('candle')),
    )
  }

  ticker(symbol: string): Promise<Ticker> {
    return this.#ofMarket(symbol, 'ticker', {}, readTicker)
  }

  tickers(): Promise<readonly Ticker[]> {
    return this.#rows('ticker', { path: '/markets/tickers', purpose: undefined }, (item, marketOf, path) =>
      readTicker(item, readMarketOf(new Fields(item, path), marketOf), path),
    )
  }

  /** Refuses every symbol before the first `markets`. */
  create(request: OrderRequest): Promise<CreateAnswer> {
    return this.#mutations.create(request)
  }

  cancel(orderId: string): Promise<CancelAnswer> {
    return this.#mutations.cancel(orderId)
  }

  async orders({ limit, page, ...filter }: OrderQuery, purpose: ReadPurpose): Promise<OrderPage> {
    await this.#knowMarkets()
    const { marketOf } = this.#catalog
    const query = { ...filter, limit: String(limit), page: String(page) }
    return this.#reads.read({ path: '/orders', query, purpose }, (body) => {
      const orders: WireOrder[] = []
      const unreadable: UnreadableRow[] = []
      for (const row of readArray(
        body,
        '',
        (item, path) => [item, attempt(() => readOrder(item, marketOf, path))] as const,
      )) {
        const [item, order] = row
        if (!(order instanceof ExchangeError)) orders.push(order)
        else {
          unreadable.push({ ...readUnreadableOrder(item, marketOf), place: orders.length })
          this.#leaveOut('order')(item, order)
        }
      }
      return { orders, unreadable }
    })
  }

  openOrders(purpose: ReadPurpose): Promise<readonly WireOrder[]> {
    return this.#rows('order', { path: '/orders/open', purpose }, readOrder)
  }

  async order(orderId: string, purpose: ReadPurpose): Promise<WireOrder | undefined> {
    await this.#knowMarkets()
    try {
      const order = await this.#reads.read({ path: `/orders/${pathPart(orderId)}`, purpose }, (body) =>
        this.#oneOrder(body, orderId),
      )
      if (order instanceof ExchangeError) throw order
      return order
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'ORDER_NOT_FOUND') return undefined
      throw error
    }
  }

  fills(limit: number, purpose: ReadPurpose): Promise<readonly WireFill[]> {
    return this.#rows('fill', { path: '/trades', query: { limit: String(limit) }, purpose }, readFill)
  }

  async balances(purpose: ReadPurpose): Promise<WireBalances> {
    this.#balances = await this.#reads.read({ path: '/balances', purpose }, (body) => {
      const unreadable = new Map<string, WireBalance>()
      const balances = readBalances(body, (asset, error) => {
        const last = this.#balances.get(String(asset))
        if (last !== undefined) unreadable.set(String(asset), last)
        this.#leaveOut('balance')(asset, error)
      })
      return new Map([...balances, ...unreadable])
    })
    return this.#balances
  }

  portfolio(purpose: ReadPurpose): Promise<WirePortfolio> {
    return this.#reads.read({ path: '/portfolio', purpose }, readPortfolio)
  }

  /**
   * Ends every wait: reads fail, and cancels end with their last outcome. Transport and budget are closed by their
   * owner.
   */
  close(): void {
    this.#reads.close()
    this.#mutations.close()
    this.#backoff.endAll()
  }

  async #knowMarkets(): Promise<void> {
    if (this.#catalog.isEmpty) await this.markets()
  }

  async #ofMarket<T>(
    symbol: string,
    what: string,
    query: Readonly<Record<string, string>>,
    decode: (body: unknown, market: Market) => T,
  ): Promise<T> {
    await this.#knowMarkets()
    const market = this.#catalog.marketOf(symbol)
    if (market === undefined) throw new ExchangeError('MARKET_NOT_FOUND', `no market '${symbol}' is listed`)
    const path = `/markets/${pathPart(symbol)}/${what}`
    return this.#reads.read({ path, query, purpose: undefined }, (body) => decode(body, market))
  }

  /** Reads rows of the account. Lists the markets again if a symbol is unknown. */
  async #rows<T>(
    what: string,
    request: ReadRequest,
    read: (item: unknown, marketOf: MarketOf, path: string) => T,
  ): Promise<T[]> {
    await this.#knowMarkets()
    const catalog = this.#catalog
    const body = await this.#reads.read(request, (answer) => readArray(answer, '', (item) => item))
    if (body.some((item) => catalog.isNews(item))) await this.#readMarketsAgain()
    const listed = body.filter((item) => !catalog.isUnlisted(item))
    for (const item of body) if (catalog.isUnlisted(item)) catalog.report(item)
    return readRows(listed, '', (item, path) => read(item, catalog.marketOf, path), this.#leaveOut(what))
  }

  /** Markets that cannot be read are reported as unlisted, which they may be. */
  async #readMarketsAgain(): Promise<void> {
    try {
      await this.markets()
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
    }
  }

  /** An unreadable order with that id is no reason for an immediate retry. */
  #oneOrder(body: unknown, orderId: string): WireOrder | ExchangeError {
    const order = attempt(() => readOneOrder(body, this.#catalog.marketOf))
    if (order instanceof ExchangeError) {
      if (idOf(body) !== orderId) throw order
      return new ExchangeError(UNREADABLE_ORDER, `order ${orderId} cannot be read: ${order.message}`, {
        isRetryable: true,
      })
    }
    if (order.id !== orderId) throw schemaFault('id', `'${orderId}'`, order.id)
    return order
  }

  #leaveOut(what: string): OnUnreadable {
    return (item, error) => {
      this.#reports.onUnreadableRow(what, item, error)
    }
  }
}

/** Id of an order that is the body itself or its `data`. */
function idOf(body: unknown): unknown {
  const { id, data } = (body ?? {}) as { readonly id?: unknown; readonly data?: { readonly id?: unknown } | null }
  return id ?? data?.id
}
