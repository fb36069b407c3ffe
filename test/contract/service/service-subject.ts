/**
 * What the suite of the service is run against: anything that serves these markets on a virtual clock, with the
 * emulator's own surface.
 */
import type { MarketConfig } from '../../../src/domain/market.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../../src/domain/rate-window.ts'

/** Form of the emulator's config file. */
export interface ServiceConfig {
  readonly quoteAsset: string
  readonly markets: readonly MarketConfig[]
  readonly limits: RateLimits
  readonly agents: false
}

export interface ServiceAddresses {
  /** With `/v1`. */
  readonly baseUrl: string
  readonly streamUrl: string
  readonly emulatorUrl: string
  /** Bearer token of the emulator's own surface. */
  readonly adminToken: string | undefined
  close(): Promise<void>
}

export interface ServiceSubject {
  readonly name: string
  /** A fresh service without users, whose clock stands at `start`, Unix milliseconds. */
  open(config: ServiceConfig, start: number): Promise<ServiceAddresses>
}

export const START = Date.parse('2025-01-01T00:00:00.000Z')

/** Without fees, a self-trade is allowed. Ledger digits: BTC 7, USD 7. */
const BTC_USD: MarketConfig = {
  id: 'btc-usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 5,
  makerFeeBps: '0',
  takerFeeBps: '0',
  selfTrade: 'allow',
}

/** With fees, a self-trade is rejected. */
const ETH_USD: MarketConfig = {
  ...BTC_USD,
  id: 'eth-usd',
  name: 'Ether',
  symbol: 'ETH_USD',
  baseAsset: 'ETH',
  pricePrecision: 1,
  qtyPrecision: 3,
  makerFeeBps: '10',
  takerFeeBps: '20',
  selfTrade: 'reject',
}

/** Not against the asset of valuation; a third of the proceeds is the maker's fee. */
const ETH_BTC: MarketConfig = {
  ...BTC_USD,
  makerFeeBps: '3333.3333',
  id: 'eth-btc',
  name: 'Ether in Bitcoin',
  symbol: 'ETH_BTC',
  baseAsset: 'ETH',
  quoteAsset: 'BTC',
  pricePrecision: 5,
  qtyPrecision: 2,
}

/** Whole prices, whole quantities. */
const ONE_USD: MarketConfig = {
  ...BTC_USD,
  id: 'one-usd',
  name: 'One',
  symbol: 'ONE_USD',
  baseAsset: 'ONE',
  pricePrecision: 0,
  qtyPrecision: 0,
}

export const SERVICE_CONFIG: ServiceConfig = {
  quoteAsset: 'USD',
  markets: [BTC_USD, ETH_USD, ETH_BTC, ONE_USD],
  limits: DEFAULT_RATE_LIMITS,
  agents: false,
}

/** As above, with room for many requests in a minute. */
export const ROOMY_CONFIG: ServiceConfig = {
  ...SERVICE_CONFIG,
  limits: { general: 1_000_000, mutations: 1_000_000, windowSeconds: 60 },
}
