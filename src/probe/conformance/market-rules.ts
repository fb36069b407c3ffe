/** Rules of public market data (sections 1, 2 and 4). */
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { DAY_MS } from '../../domain/time.ts'
import { candleSchema, marketSchema, tickerSchema, tradeSchema } from '../../wire/schemas.ts'
import { ruleThatNeeds, type Rule } from './rule.ts'
import { requireRule, NotShown } from './verdict.ts'
import {
  bodyOf,
  checkFalling,
  checkRows,
  decimalIn,
  expectError,
  rowsOf,
  tradesPath,
  type Row,
} from './answer-reading.ts'
import type { WatchedService } from './watched-service.ts'

const UNKNOWN = 'NOSUCH_MARKET'
/** A trade that is nearly a day old may have left a ticker's window. */
const EDGE_MS = 600_000

const markets = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.open('/markets'), 200, 'data'))
const tickers = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.open('/markets/tickers'), 200))
const trades = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.open(tradesPath((await service.market()).symbol)), 200))
const pathOf = async (service: WatchedService, rest: string): Promise<string> =>
  `/markets/${pathPart((await service.market()).symbol)}${rest}`
const ticker = async (service: WatchedService): Promise<Row> =>
  bodyOf(await service.open(await pathOf(service, '/ticker')), 200) as Row
const candles = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.open(await pathOf(service, '/candles')), 200, 'data'))

const rule = ruleThatNeeds('public')

/** The limits that are refused, of both lists of trades. */
export const REFUSED_LIMITS = ['0', '501', '-1', '1.5', 'x']

async function checkPrecision(service: WatchedService): Promise<void> {
  const { pricePrecision, qtyPrecision } = await service.market()
  const rows = await trades(service)
  if (rows.length === 0) throw new NotShown('the market has no trades')
  const digits = (value: unknown): number => decimalIn(value).decimalPlaces()
  const off = rows.find(({ price, qty }) => digits(price) > pricePrecision || digits(qty) > qtyPrecision)
  requireRule(
    off === undefined,
    () =>
      `a trade of ${String(off?.qty)} at ${String(off?.price)}, with ${pricePrecision} and ${qtyPrecision} decimals`,
  )
}

async function checkTickerDay(service: WatchedService): Promise<void> {
  const before = await trades(service)
  const { json } = await service.ask({ method: 'GET', path: await pathOf(service, '/ticker') })
  const { timestamp, high, low } = json as Row
  const now = parseIsoTime(String(timestamp))?.time ?? Number.NaN
  const inside = before.filter(({ createdAt }) => Number(createdAt) > now - DAY_MS + EDGE_MS)
  if (inside.length === 0) throw new NotShown('the market has no trade of the last day')
  const [top, bottom] = [decimalIn(high), decimalIn(low)]
  const off = inside.find(({ price }) => top.lt(String(price)) || bottom.gt(String(price)))
  requireRule(off === undefined, () => `a trade at ${String(off?.price)} is outside ${String(low)} to ${String(high)}`)
}

function checkCandle({ open, high, low, close, time }: Row): void {
  const [o, h, l, c] = [open, high, low, close].map(decimalIn)
  if (o === undefined || h === undefined || l === undefined || c === undefined) return
  const isWhole = h.gte(o) && h.gte(c) && h.gte(l) && l.lte(o) && l.lte(c)
  requireRule(
    isWhole,
    () =>
      `the candle of ${String(time)}: high ${String(high)}, low ${String(low)}, open ${String(open)}, close ${String(close)}`,
  )
}

export const MARKET_RULES: readonly Rule[] = [
  rule('markets', 4, 'GET /markets is 200 {data: [Market]}', async (service) => {
    await markets(service)
  }),
  rule('market-fields', 2, 'a market has its fields', async (service) =>
    checkRows(await markets(service), marketSchema, 'market'),
  ),
  rule('symbols', 1, 'a symbol is BASE_QUOTE', async (service) => {
    for (const { symbol, baseAsset, quoteAsset } of await markets(service)) {
      requireRule(
        symbol === `${String(baseAsset)}_${String(quoteAsset)}`,
        () => `'${String(symbol)}' of ${String(baseAsset)} and ${String(quoteAsset)}`,
      )
    }
  }),
  rule('tickers', 4, 'GET /markets/tickers is an array of one ticker per market', async (service) => {
    const listed = (await markets(service)).map(({ symbol }) => String(symbol)).sort()
    const reported = (await tickers(service)).map(({ symbol }) => String(symbol)).sort()
    requireRule(listed.join() === reported.join(), () => `markets ${listed.join(', ')}; tickers ${reported.join(', ')}`)
  }),
  rule('ticker-fields', 2, 'a ticker has its fields', async (service) =>
    checkRows([...(await tickers(service)), await ticker(service)], tickerSchema, 'ticker'),
  ),
  rule('ticker', 4, 'GET /markets/{symbol}/ticker is the ticker of that market', async (service) => {
    const [{ symbol }, reported] = [await service.market(), await ticker(service)]
    requireRule(reported.symbol === symbol, () => `asked for ${symbol}, got ${String(reported.symbol)}`)
  }),
  rule(
    'ticker-day',
    2,
    'a ticker covers 24 hours: trades of the last day lie between its low and high',
    checkTickerDay,
  ),
  rule('trade-fields', 2, 'a public trade has its fields', async (service) =>
    checkRows(await trades(service), tradeSchema, 'trade'),
  ),
  rule('trades-of-market', 4, 'public trades belong to the requested market', async (service) => {
    const [{ symbol }, rows] = [await service.market(), await trades(service)]
    const other = rows.find((row) => row.symbol !== symbol)
    requireRule(other === undefined, () => `asked for ${symbol}, got ${String(other?.symbol)}`)
    if (rows.length === 0) throw new NotShown('the market has no trades')
  }),
  rule('trades-newest-first', 4, 'public trades are newest first', async (service) =>
    checkFalling(
      (await trades(service)).map(({ createdAt }) => Number(createdAt)),
      'trade',
    ),
  ),
  rule('trades-once', 2, 'a public trade is listed once', async (service) => {
    const ids = (await trades(service)).map(({ id }) => id)
    const twice = ids.find((id, index) => ids.indexOf(id) < index)
    requireRule(twice === undefined, () => `trade ${String(twice)} is listed twice`)
    if (ids.length < 2) throw new NotShown('fewer than two were returned')
  }),
  rule('trades-limit', 8, 'public trades: at most limit are returned, also for 500', async (service) => {
    const most = (await trades(service)).length
    requireRule(most <= 500, () => `${most} trades with limit=500`)
    if (most < 2) throw new NotShown('the market has fewer than two trades')
    const { length } = rowsOf(bodyOf(await service.open(await pathOf(service, '/trades?limit=1')), 200))
    requireRule(length === 1, () => `${length} trades with limit=1`)
  }),
  rule(
    'trades-limit-range',
    8,
    'public trades: limit is an integer from 1 to 500, else 400 VALIDATION_ERROR',
    async (service) => {
      for (const limit of REFUSED_LIMITS) {
        expectError(await service.open(await pathOf(service, `/trades?limit=${limit}`)), 400, 'VALIDATION_ERROR')
      }
    },
  ),
  rule('precision', 1, "a trade's price and qty fit the market's precision", checkPrecision),
  rule('candles', 4, 'GET /markets/{symbol}/candles is 200 {data: [Candle]}', async (service) => {
    await candles(service)
  }),
  rule('candle-fields', 2, 'a candle has its fields', async (service) =>
    checkRows(await candles(service), candleSchema, 'candle'),
  ),
  rule('candles-chronological', 4, 'candles are in chronological order', async (service) =>
    checkFalling((await candles(service)).map(({ time }) => Number(time)).reverse(), 'candle from the end'),
  ),
  rule('candle-prices', 2, 'a candle is consistent: low <= open, close <= high', async (service) => {
    const rows = await candles(service)
    for (const row of rows) checkCandle(row)
    if (rows.length === 0) throw new NotShown('the market has no candles')
  }),
  rule('unknown-market', 4, 'an unknown market is 404 MARKET_NOT_FOUND', async (service) => {
    for (const rest of ['ticker', 'trades', 'candles']) {
      expectError(await service.open(`/markets/${UNKNOWN}/${rest}`), 404, 'MARKET_NOT_FOUND')
    }
  }),
]
