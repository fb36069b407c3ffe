/** Creates an exchange. The markets are validated here, so that the rest of the code can trust them. */
import { InputError } from '../domain/errors.ts'
import { assetsOfSymbol, MAX_PRECISION, parseFeeRate, type MarketConfig } from '../domain/market.ts'
import type { ExchangeConfig, SnapshotExchange } from './exchange.ts'
import { ExchangeState } from './exchange-state.ts'
import { MatchingExchange } from './matching-exchange.ts'

/**
 * @throws {InputError} for markets that cannot be: a symbol twice, a precision out of range, a fee out of range, an
 * unknown quote asset
 */
export function createExchange(config: ExchangeConfig): SnapshotExchange {
  checkConfig(config)
  return new MatchingExchange(new ExchangeState(config))
}

/** @throws {InputError} for markets or limits that cannot be */
export function checkConfig(config: ExchangeConfig): void {
  for (const kind of ['orders', 'fills', 'trades', 'candles'] as const) {
    const limit = config.history[kind]
    if (limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit >= 0)) continue
    throw new InputError(`history ${kind}`, `expected a whole number or Infinity, got ${limit}`)
  }
  const listed: unknown = config.markets
  if (!Array.isArray(listed)) throw new InputError('markets', 'expected a list')
  const [ids, symbols] = [new Set<string>(), new Set<string>()]
  for (const market of config.markets) {
    checkMarket(market)
    if (symbols.has(market.symbol)) throw new InputError('markets', `${market.symbol} is there twice`)
    if (ids.has(market.id)) throw new InputError('markets', `the id ${market.id} is there twice`)
    symbols.add(market.symbol)
    ids.add(market.id)
  }
  if (!config.markets.some(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset].includes(config.quoteAsset))) {
    throw new InputError('quoteAsset', `no market has the asset '${config.quoteAsset}'`)
  }
}

function checkMarket(market: MarketConfig): void {
  // Not by type: it may be of a damaged file.
  if (typeof market !== 'object' || (market as unknown) === null) throw new InputError('markets', 'expected objects')
  for (const field of ['symbol', 'id', 'name', 'baseAsset', 'quoteAsset', 'makerFeeBps', 'takerFeeBps'] as const) {
    const text: unknown = market[field]
    if (typeof text === 'string' && text !== '') continue
    throw new InputError(`${field === 'symbol' ? 'markets' : market.symbol} ${field}`, 'expected a text')
  }
  const { baseAsset, quoteAsset } = assetsOfSymbol('markets', market.symbol)
  if (market.baseAsset !== baseAsset || market.quoteAsset !== quoteAsset) {
    throw new InputError(market.symbol, `is not of ${market.baseAsset} and ${market.quoteAsset}`)
  }
  const selfTrade: string = market.selfTrade
  if (selfTrade !== 'allow' && selfTrade !== 'reject') {
    throw new InputError(`${market.symbol} selfTrade`, `expected allow or reject, got ${selfTrade}`)
  }
  for (const field of ['pricePrecision', 'qtyPrecision'] as const) {
    const precision = market[field]
    if (!Number.isInteger(precision) || precision < 0 || precision > MAX_PRECISION) {
      throw new InputError(
        `${market.symbol} ${field}`,
        `expected an integer from 0 to ${MAX_PRECISION}, got ${precision}`,
      )
    }
  }
  parseFeeRate(`${market.symbol} makerFeeBps`, market.makerFeeBps)
  parseFeeRate(`${market.symbol} takerFeeBps`, market.takerFeeBps)
}
