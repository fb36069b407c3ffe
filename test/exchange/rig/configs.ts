/**
 * Configurations of an exchange for tests: said in as few words as the test needs.
 */
import { assetsOfSymbol } from '../../../src/domain/market.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { ExchangeConfig, HistoryLimits } from '../../../src/exchange/exchange.ts'

export const KEEP_ALL: HistoryLimits = { orders: Infinity, fills: Infinity, trades: Infinity, candles: Infinity }

/** Whole prices and quantities, no fees, unless given otherwise. */
export function market(symbol: string, rules: Partial<MarketConfig> = {}): MarketConfig {
  return {
    id: symbol.toLowerCase(),
    name: symbol,
    symbol,
    ...assetsOfSymbol('market', symbol),
    pricePrecision: 0,
    qtyPrecision: 0,
    makerFeeBps: '0',
    takerFeeBps: '0',
    selfTrade: 'allow',
    ...rules,
  }
}

export const oneMarket = (rules: Partial<MarketConfig> = {}): ExchangeConfig => ({
  markets: [market('BTC_USD', rules)],
  quoteAsset: 'USD',
  history: KEEP_ALL,
})
