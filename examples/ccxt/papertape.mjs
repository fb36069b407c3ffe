/**
 * The trading service as an exchange of ccxt, so that an unchanged bot trades on the emulator:
 * `ccxt.papertape = papertape(ccxt)`, then `new ccxt.papertape({ apiKey })`. Another address: `urls: { api: ... }`.
 *
 * Order books are the emulator's own; a real service has none. As in every exchange of ccxt, an order that ends in a
 * RequestTimeout or NetworkError may exist: look at fetchOpenOrders before you place another.
 */
// @ts-nocheck -- ccxt is not installed here

const STATUSES = { OPEN: 'open', PARTIALLY_FILLED: 'open', FILLED: 'closed', CANCELLED: 'canceled' }
/** 600 requests per minute, of which 30 place or cancel orders. */
const MUTATION = { cost: 20 }

const errorsOf = (ccxt) => ({
  VALIDATION_ERROR: ccxt.InvalidOrder,
  MALFORMED_JSON: ccxt.BadRequest,
  AUTHENTICATION_REQUIRED: ccxt.AuthenticationError,
  INVALID_API_KEY: ccxt.AuthenticationError,
  FORBIDDEN: ccxt.PermissionDenied,
  EMAIL_NOT_VERIFIED: ccxt.PermissionDenied,
  MARKET_NOT_FOUND: ccxt.BadSymbol,
  ORDER_NOT_FOUND: ccxt.OrderNotFound,
  ASSET_NOT_FOUND: ccxt.BadRequest,
  ORDER_NOT_CANCELLABLE: ccxt.OrderNotFound,
  INSUFFICIENT_BALANCE: ccxt.InsufficientFunds,
  NO_LIQUIDITY: ccxt.InvalidOrder,
  ORDER_REJECTED: ccxt.InvalidOrder,
  RATE_LIMITED: ccxt.RateLimitExceeded,
  SERVICE_UNAVAILABLE: ccxt.ExchangeNotAvailable,
  ENGINE_UNAVAILABLE: ccxt.ExchangeNotAvailable,
  PORTFOLIO_UNAVAILABLE: ccxt.ExchangeNotAvailable,
  ENGINE_TIMEOUT: ccxt.RequestTimeout,
})

const HAS = {
  ...{ spot: true, cancelAllOrders: true, cancelOrder: true, createOrder: true, fetchBalance: true },
  ...{ fetchClosedOrders: true, fetchMarkets: true, fetchMyTrades: true, fetchOHLCV: true, fetchOpenOrders: true },
  ...{ fetchOrder: true, fetchOrderBook: true, fetchOrders: true, fetchTicker: true, fetchTickers: true },
  fetchTrades: true,
}

/** @param ccxt  the module: what `import ccxt from 'ccxt'` gives */
export const papertape = (ccxt) =>
  class papertape extends ccxt.Exchange {
    describe() {
      return this.deepExtend(super.describe(), {
        ...{ id: 'papertape', name: 'papertape', countries: [], version: 'v1', rateLimit: 100, has: HAS },
        ...{ precisionMode: ccxt.TICK_SIZE, requiredCredentials: { apiKey: true, secret: false } },
        urls: { api: 'http://127.0.0.1:8080/v1' },
        timeframes: { '1m': '1m', '5m': '5m', '15m': '15m', '30m': '30m', '1h': '1h', '4h': '4h', '1d': '1d' },
        exceptions: { exact: errorsOf(ccxt), broad: {} },
      })
    }

    sign(path, api = 'public', method = 'GET', params = {}, headers = {}) {
      const base = api === 'emulator' ? this.urls.api.replace(/\/v1$/, '/emulator') : this.urls.api
      const query = method === 'GET' && Object.keys(params).length > 0 ? `?${this.urlencode(params)}` : ''
      const keyed = api === 'private' ? { 'x-api-key': this.apiKey } : {}
      if (api === 'private') this.checkRequiredCredentials()
      const isPost = method === 'POST'
      return {
        ...{ url: `${base}/${path}${query}`, method, body: isPost ? this.json(params) : undefined },
        headers: { ...headers, ...keyed, ...(isPost && { 'content-type': 'application/json' }) },
      }
    }

    handleErrors(status, reason, url, method, headers, body, response) {
      const error = response?.error
      if (error === undefined) return undefined
      const feedback = `${this.id} ${error.code}: ${error.message}`
      this.throwExactlyMatchedException(this.exceptions.exact, error.code, feedback)
      throw new ccxt.ExchangeError(feedback)
    }

    read(path, params = {}, api = 'public') {
      return this.request(path, api, 'GET', params, undefined, undefined, { cost: 1 })
    }

    async fetchMarkets() {
      const { data } = await this.read('markets')
      return data.map((market) => this.marketOf(market))
    }

    marketOf({ symbol: id, baseAsset: base, quoteAsset: quote, pricePrecision, qtyPrecision, ...rest }) {
      const tick = (digits) => this.parseNumber(this.parsePrecision(String(digits)))
      return this.safeMarketStructure({
        ...{ id, symbol: `${base}/${quote}`, base, quote, baseId: base, quoteId: quote, type: 'spot', spot: true },
        ...{ active: true, margin: false, swap: false, future: false, option: false, contract: false },
        precision: { price: tick(pricePrecision), amount: tick(qtyPrecision) },
        limits: { amount: { min: tick(qtyPrecision) }, price: { min: tick(pricePrecision) }, cost: {}, leverage: {} },
        info: { symbol: id, ...rest },
      })
    }

    async fetchTicker(symbol) {
      await this.loadMarkets()
      const market = this.market(symbol)
      return this.parseTicker(await this.read(`markets/${market.id}/ticker`), market)
    }

    async fetchTickers(symbols = undefined) {
      await this.loadMarkets()
      return this.parseTickers(await this.read('markets/tickers'), symbols)
    }

    parseTicker(row, market = undefined) {
      const { lastPrice: last, openPrice: open, high, low, priceChange: change, priceChangePercent: percentage } = row
      const timestamp = this.parse8601(row.timestamp)
      return this.safeTicker(
        {
          ...{ symbol: this.safeSymbol(row.symbol, market), timestamp, datetime: row.timestamp, info: row },
          ...{ last, close: last, open, high, low, change, percentage },
          ...{ baseVolume: row.volume, quoteVolume: row.quoteVolume },
        },
        market,
      )
    }

    async fetchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = this.market(symbol)
      // With a beginning, the service gives the newest candles after it: the end is computed.
      const rows = limit ?? 500
      const to = since === undefined ? {} : { from: since, to: since + rows * this.parseTimeframe(timeframe) * 1000 }
      const query = { interval: this.timeframes[timeframe], limit: rows, ...to, ...params }
      const { data } = await this.read(`markets/${market.id}/candles`, query)
      return this.parseOHLCVs(data, market, timeframe, since, limit)
    }

    parseOHLCV({ time, open, high, low, close, volume }) {
      return [time, ...[open, high, low, close, volume].map((text) => this.parseNumber(text))]
    }

    async fetchTrades(symbol, since = undefined, limit = undefined) {
      await this.loadMarkets()
      const market = this.market(symbol)
      const rows = await this.read(`markets/${market.id}/trades`, { limit: limit ?? 100 })
      return this.parseTrades(rows, market, since, limit)
    }

    async fetchMyTrades(symbol = undefined, since = undefined, limit = undefined) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      return this.parseTrades(await this.read('trades', { limit: 500 }, 'private'), market, since, limit)
    }

    parseTrade(row, market = undefined) {
      const { id, price, qty: amount, createdAt: timestamp, orderId: order, isBuyerMaker } = row
      const side = (row.side ?? (isBuyerMaker ? 'SELL' : 'BUY')).toLowerCase()
      const isMaker = (side === 'buy') === isBuyerMaker
      return this.safeTrade(
        {
          ...{ id, order, price, amount, side, timestamp, datetime: this.iso8601(timestamp), info: row },
          symbol: this.safeSymbol(row.symbol, market),
          takerOrMaker: order === undefined ? undefined : isMaker ? 'maker' : 'taker',
        },
        market,
      )
    }

    async fetchOrderBook(symbol, limit = undefined) {
      await this.loadMarkets()
      const { id } = this.market(symbol)
      const book = this.parseOrderBook(await this.read(`markets/${id}/book`, {}, 'emulator'), symbol)
      return { ...book, bids: book.bids.slice(0, limit), asks: book.asks.slice(0, limit) }
    }

    async fetchBalance() {
      await this.loadMarkets()
      const info = await this.read('balances', {}, 'private')
      const rows = Object.entries(info).map(([asset, { available: free, locked: used }]) => [asset, { free, used }])
      return this.safeBalance({ info, ...Object.fromEntries(rows) })
    }

    async createOrder(symbol, type, side, amount, price = undefined) {
      await this.loadMarkets()
      const order = {
        ...{ symbol: this.market(symbol).id, side: side.toUpperCase(), type: type.toUpperCase() },
        ...(type === 'limit' && { price: this.priceToPrecision(symbol, price) }),
        qty: this.amountToPrecision(symbol, amount),
      }
      return this.parseOrder(await this.request('orders', 'private', 'POST', order, undefined, undefined, MUTATION))
    }

    async cancelOrder(id) {
      await this.loadMarkets()
      const path = `orders/${this.encodeURIComponent(id)}`
      return this.parseOrder(await this.request(path, 'private', 'DELETE', {}, undefined, undefined, MUTATION))
    }

    async cancelAllOrders(symbol = undefined) {
      const cancelled = []
      for (const { id } of await this.fetchOpenOrders(symbol)) cancelled.push(await this.cancelOrder(id))
      return cancelled
    }

    async fetchOrder(id) {
      await this.loadMarkets()
      return this.parseOrder(await this.read(`orders/${this.encodeURIComponent(id)}`, {}, 'private'))
    }

    async fetchOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      const query = { limit: limit ?? 500, ...(market !== undefined && { symbol: market.id }), ...params }
      return this.parseOrders(await this.read('orders', query, 'private'), market, since, limit)
    }

    fetchClosedOrders(symbol = undefined, since = undefined, limit = undefined) {
      return this.fetchOrders(symbol, since, limit, { status: 'FILLED' })
    }

    async fetchOpenOrders(symbol = undefined, since = undefined, limit = undefined) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol)
      return this.parseOrders(await this.read('orders/open', {}, 'private'), market, since, limit)
    }

    parseOrder(row, market = undefined) {
      const { id, price, qty: amount, filledQty: filled, averagePrice: average, createdAt: datetime } = row
      return this.safeOrder(
        {
          ...{ id, price, amount, filled, average, datetime, timestamp: this.parse8601(datetime), info: row },
          ...{ symbol: this.safeSymbol(row.symbol, market), status: STATUSES[row.status] },
          ...{ side: row.side.toLowerCase(), type: row.type.toLowerCase(), fee: undefined, trades: [] },
        },
        market,
      )
    }
  }
