/**
 * The service's calls over a transport and the budget of a key (section 4).
 */
import type { Candle, CandleInterval } from '../../../domain/candle.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Ticker } from '../../../domain/ticker.ts'
import { readBalances } from '../../../wire/read-balances.ts'
import { readCandles } from '../../../wire/read-candle.ts'
import { readArray, schemaFault } from '../../../wire/read-fields.ts'
import { readMarkets, type MarketOf } from '../../../wire/read-market.ts'
import { readOneOrder, readOrder } from '../../../wire/read-order.ts'
import { readPortfolio } from '../../../wire/read-portfolio.ts'
import { readTicker } from '../../../wire/read-ticker.ts'
import { readFill, readTrades } from '../../../wire/read-trade.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WirePortfolio } from '../../../wire/wire-portfolio.ts'
import type { WireFill, WireTrade } from '../../../wire/wire-trade.ts'
import type { LiveTime } from '../live-time.ts'
import type { ClientBudget } from './client-budget.ts'
import { MarketCatalog } from './market-catalog.ts'
import { OrderMutations } from './order-mutations.ts'
import { pathPart } from './path-part.ts'
import { RestReads, type ReadRequest } from './rest-reads.ts'
import type { RestTransport } from './rest-transport.ts'
import { RetryWaits } from './retry-waits.ts'
import type { CancelAnswer, CreateAnswer, ReadPurpose, ServiceCalls } from './service-calls.ts'

export interface ServiceClientOptions {
  readonly transport: RestTransport
  readonly budget: ClientBudget
  readonly time: LiveTime
  /** In [0, 1), for the jitter of the waits between attempts. */
  readonly random: () => number
  /** At a read or a cancel, the first included. Default: 5. */
  readonly attempts?: number
  /** Names of the parameters of `/candles` (decision 3). Default: `interval` and `limit`. */
  readonly candleQuery?: { readonly interval: string; readonly limit: string }
  /**
   * Told once of each symbol that the account has orders or fills of and the service does not list: such rows are left out, because their
   * decimals cannot be read.
   */
  readonly onUnlisted?: (symbol: string) => void
}

const ATTEMPTS = 5

export class ServiceClient implements ServiceCalls {
  readonly #reads: RestReads
  readonly #mutations: OrderMutations
  readonly #catalog: MarketCatalog
  readonly #backoff: RetryWaits
  readonly #options: ServiceClientOptions

  constructor(options: ServiceClientOptions) {
    const { transport, budget, time, random, attempts = ATTEMPTS, onUnlisted = () => undefined } = options
    this.#options = options
    this.#backoff = new RetryWaits({ time, random, attempts })
    this.#catalog = new MarketCatalog(onUnlisted)
    this.#reads = new RestReads({ transport, budget, time, backoff: this.#backoff })
    const { marketOf } = this.#catalog
    this.#mutations = new OrderMutations({ transport, budget, backoff: this.#backoff, marketOf })
  }

  async markets(): Promise<readonly Market[]> {
    const markets = await this.#reads.read({ path: '/markets', purpose: undefined }, readMarkets)
    this.#catalog.set(markets)
    return markets
  }

  trades(symbol: string, limit: number): Promise<readonly WireTrade[]> {
    return this.#ofMarket(symbol, 'trades', { limit: String(limit) }, readTrades)
  }

  candles(symbol: string, interval: CandleInterval, limit: number): Promise<readonly Candle[]> {
    const names = this.#options.candleQuery ?? { interval: 'interval', limit: 'limit' }
    return this.#ofMarket(symbol, 'candles', { [names.interval]: interval, [names.limit]: String(limit) }, readCandles)
  }

  ticker(symbol: string): Promise<Ticker> {
    return this.#ofMarket(symbol, 'ticker', {}, readTicker)
  }

  /** Before the first `markets` it refuses every symbol. */
  create(request: OrderRequest): Promise<CreateAnswer> {
    return this.#mutations.create(request)
  }

  cancel(orderId: string): Promise<CancelAnswer> {
    return this.#mutations.cancel(orderId)
  }

  /** No row is left out: an empty page is the end of the list. */
  async orders(
    { symbol, limit, page }: { readonly symbol: string; readonly limit: number; readonly page: number },
    purpose: ReadPurpose,
  ): Promise<readonly WireOrder[]> {
    await this.#knowMarkets()
    const query = { symbol, limit: String(limit), page: String(page) }
    return this.#reads.read({ path: '/orders', query, purpose }, (body) =>
      readArray(body, '', (item, path) => readOrder(item, this.#catalog.marketOf, path)),
    )
  }

  openOrders(purpose: ReadPurpose): Promise<readonly WireOrder[]> {
    return this.#rows({ path: '/orders/open', purpose }, readOrder)
  }

  async order(orderId: string, purpose: ReadPurpose): Promise<WireOrder | undefined> {
    await this.#knowMarkets()
    try {
      return await this.#reads.read({ path: `/orders/${pathPart(orderId)}`, purpose }, (body) => {
        const order = readOneOrder(body, this.#catalog.marketOf)
        if (order.id !== orderId) throw schemaFault('id', `'${orderId}'`, order.id)
        return order
      })
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'ORDER_NOT_FOUND') return undefined
      throw error
    }
  }

  fills(limit: number, purpose: ReadPurpose): Promise<readonly WireFill[]> {
    return this.#rows({ path: '/trades', query: { limit: String(limit) }, purpose }, readFill)
  }

  balances(purpose: ReadPurpose): Promise<WireBalances> {
    return this.#reads.read({ path: '/balances', purpose }, readBalances)
  }

  portfolio(purpose: ReadPurpose): Promise<WirePortfolio> {
    return this.#reads.read({ path: '/portfolio', purpose }, readPortfolio)
  }

  /** Ends every wait: reads fail, and cancels end as they stand. The transport and the budget are their owner's to close. */
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

  /** Rows of the account. A market that is not known may be listed since the last look. */
  async #rows<T>(request: ReadRequest, read: (item: unknown, marketOf: MarketOf, path: string) => T): Promise<T[]> {
    await this.#knowMarkets()
    const catalog = this.#catalog
    return this.#reads.read(request, async (body) => {
      if (Array.isArray(body) && body.some((item) => catalog.isNews(item))) await this.markets()
      const rows = readArray(body, '', (item, path) => {
        if (catalog.isUnlisted(item)) catalog.tell(item)
        else return read(item, catalog.marketOf, path)
        return undefined
      })
      return rows.filter((row) => row !== undefined)
    })
  }
}
