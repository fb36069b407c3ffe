/**
 * Random markets and random steps in them, tight on purpose: three users and the crowd, ten prices, quantities 0 to 9,
 * balances that cover one to three orders. Wide generators find nothing.
 */
import fc from 'fast-check'
import { CROWD } from '../../src/domain/command.ts'
import type { MarketConfig } from '../../src/domain/market.ts'
import type { OrderType, Side } from '../../src/domain/order.ts'
import type { ExchangeConfig } from '../../src/exchange/exchange.ts'
import { market } from './configs.ts'

export const USERS = ['alice', 'bob', 'carol'] as const
export const ACCOUNTS = [...USERS, CROWD] as const

/** A market, and what a step's small numbers are multiplied by to make its ticks and lots. */
export interface RandomMarket {
  readonly config: MarketConfig
  readonly priceUnit: number
  readonly qtyUnit: number
}

export interface RandomOrder {
  readonly account: string
  /** Index into the markets, modulo their number. */
  readonly market: number
  readonly side: Side
  readonly type: OrderType
  readonly price: number
  readonly qty: number
}

export type Step =
  | ({ readonly do: 'place' } & RandomOrder)
  /** First makes `available` what the order needs, and `over` units more or less. */
  | ({ readonly do: 'fund-and-place'; readonly over: -1 | 0 | 1 } & RandomOrder)
  | { readonly do: 'cancel'; readonly account: string; readonly pick: number }
  | { readonly do: 'cancel-own'; readonly account: string; readonly pick: number }
  /** The worth of `qty` at `price` of the market, in its quote asset, or the `qty` itself in its base asset. */
  | {
      readonly do: 'credit'
      readonly account: string
      readonly market: number
      readonly of: 'base' | 'quote' | 'unknown'
      readonly price: number
      readonly qty: number
      readonly over: number
      readonly isDebit: boolean
    }
  | { readonly do: 'print'; readonly market: number; readonly side: Side; readonly price: number; readonly qty: number }
  | { readonly do: 'wait'; readonly ms: number }

export interface RandomScript {
  readonly config: ExchangeConfig
  readonly markets: readonly RandomMarket[]
  readonly steps: readonly Step[]
}

/** The last one makes 10 units the largest safe integer but one, so that amounts pass 2^104. */
const UNITS = [1, 1, 7, 1_000, 123_456_789, 900_719_925_474_099] as const
const FEES = ['0', '0', '10', '33.3333', '7.0001', '0.0001', '9999.9999', '10000'] as const
const HOUR = 3_600_000
const WAITS = [0, 1, 999, 60_000, 300_000, HOUR, 24 * HOUR - 1, 24 * HOUR, 25 * HOUR] as const

const precision = fc.oneof(fc.constantFrom(0, 0, 2, 8, 12), fc.nat(12))

const randomMarket = (symbol: string): fc.Arbitrary<RandomMarket> =>
  fc
    .record({
      pricePrecision: precision,
      qtyPrecision: precision,
      makerFeeBps: fc.constantFrom(...FEES),
      takerFeeBps: fc.constantFrom(...FEES),
      selfTrade: fc.constantFrom('allow', 'reject'),
      priceUnit: fc.constantFrom(...UNITS),
      qtyUnit: fc.constantFrom(...UNITS),
    })
    .map(({ priceUnit, qtyUnit, ...rules }) => ({ config: market(symbol, rules), priceUnit, qtyUnit }))

const markets: fc.Arbitrary<readonly RandomMarket[]> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(randomMarket('BTC_USD')) },
  { weight: 1, arbitrary: fc.tuple(randomMarket('BTC_USD'), randomMarket('ETH_USD')) },
  { weight: 1, arbitrary: fc.tuple(randomMarket('ETH_BTC'), randomMarket('BTC_USD'), randomMarket('ETH_USD')) },
  { weight: 1, arbitrary: fc.tuple(randomMarket('BTC_EUR'), randomMarket('BTC_USD')) },
)

const kept = fc.constantFrom(0, 1, 2, 5, Infinity)

const history = fc.record({ orders: kept, fills: kept, trades: kept, candles: kept })

const account = fc.constantFrom(...ACCOUNTS)
const side = fc.constantFrom<Side>('BUY', 'SELL')
const index = fc.nat(5)
const qty = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.constant(0) },
)
const positive = fc.integer({ min: 1, max: 10 })

const step = <Kind extends Step['do']>(kind: Kind) => fc.constant(kind)
const sided = (side: Side, prices: fc.Arbitrary<number>) => fc.record({ side: fc.constant(side), price: prices })

/** Bids below 5 and asks above 6 make a book with queues; prices anywhere walk through it. */
const sideAndPrice = fc.oneof(
  { weight: 6, arbitrary: sided('BUY', fc.integer({ min: 3, max: 5 })) },
  { weight: 6, arbitrary: sided('SELL', fc.integer({ min: 6, max: 8 })) },
  { weight: 8, arbitrary: fc.record({ side, price: positive }) },
  { weight: 1, arbitrary: fc.record({ side, price: fc.constant(0) }) },
)

function order<Kind extends Step['do']>(kind: Kind, type: OrderType, accounts: fc.Arbitrary<string>) {
  return fc
    .tuple(fc.record({ do: step(kind), account: accounts, market: index, type: fc.constant(type), qty }), sideAndPrice)
    .map(([common, sideAndPrice]) => ({ ...common, ...sideAndPrice }))
}

const user = fc.constantFrom(...USERS)
const over = fc.constantFrom<-1 | 0 | 1>(-1, 0, 1)
const fundAndPlace = (type: OrderType) =>
  fc.tuple(order('fund-and-place', type, user), over).map(([placed, over]) => ({ ...placed, over }))

const credit = fc.record({
  do: step('credit'),
  account,
  market: index,
  of: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom<'base' | 'quote'>('base', 'quote') },
    { weight: 1, arbitrary: fc.constant<'unknown'>('unknown') },
  ),
  price: positive,
  qty: fc.nat(27),
  over: fc.integer({ min: -1, max: 1 }),
  isDebit: fc.constantFrom(false, false, false, true),
})

const print = fc.record({
  do: step('print'),
  market: index,
  side,
  price: positive,
  qty: fc.integer({ min: 1, max: 9 }),
})

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: order('place', 'LIMIT', account) },
  { weight: 4, arbitrary: order('place', 'MARKET', account) },
  { weight: 2, arbitrary: fundAndPlace('LIMIT') },
  { weight: 1, arbitrary: fundAndPlace('MARKET') },
  { weight: 2, arbitrary: fc.record({ do: step('cancel'), account, pick: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ do: step('cancel-own'), account, pick: fc.nat(99) }) },
  { weight: 4, arbitrary: credit },
  { weight: 2, arbitrary: print },
  { weight: 3, arbitrary: fc.record({ do: step('wait'), ms: fc.constantFrom(...WAITS) }) },
)

/** So that there is something to trade from the first order on. */
const openingCredit = fc
  .tuple(credit, user, fc.constantFrom<'base' | 'quote'>('base', 'quote'))
  .map(([row, account, of]) => ({ ...row, account, of, isDebit: false }))
const openingCredits = fc.array(openingCredit, { maxLength: 24, size: 'max' })

export const randomScript: fc.Arbitrary<RandomScript> = fc
  .record({
    markets,
    quoteAsset: fc.constantFrom('USD', 'USD', 'BTC'),
    history,
    opening: openingCredits,
    steps: fc.array(anyStep, { maxLength: 80, size: 'max' }),
  })
  .map(({ markets, quoteAsset, history, opening, steps }) => ({
    config: { markets: markets.map(({ config }) => config), quoteAsset, history },
    markets,
    steps: [...opening, ...steps],
  }))
