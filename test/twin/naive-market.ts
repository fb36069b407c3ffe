/**
 * A market of the naive exchange and its orders: rules, two sorted lists of orders, and lists of trades and rows that
 * only grow.
 */
import type { MarketConfig } from '../../src/domain/market.ts'
import type { OrderRequest, Side } from '../../src/domain/order.ts'
import type { Trade } from '../../src/domain/trade.ts'
import type { RecordedRow } from '../../src/exchange/exchange.ts'
import { feeRateOf, tenTo } from './naive-numbers.ts'

/** A trade, or a row of a tape, as it enters the statistics. */
export type NaiveRow = Omit<RecordedRow, 'symbol'>

/** What was asked, and sums over its fills. */
export interface NaiveOrder {
  readonly id: number
  readonly account: string
  readonly request: OrderRequest
  readonly market: NaiveMarket
  readonly createdAt: number
  filledQty: number
  /** Lots of the request that were taken off it again. */
  takenOffQty: number
  /** Ticks x lots. */
  notional: bigint
  /** Over all fills, each at its own role's rate, in 10^-8 ledger units. */
  exactFee: bigint
  /** What it holds back, until its next fill; undefined where that is to be worked out. */
  reserved: bigint | undefined
  cancelled: boolean
}

export interface NaiveMarket {
  readonly config: MarketConfig
  /** Ledger units of the base asset of a number of lots. */
  readonly baseUnits: (lots: number) => bigint
  /** Ledger units of the quote asset of a number of ticks x lots. */
  readonly quoteUnits: (notional: bigint) => bigint
  /** 10^-8 of the notional. */
  readonly feeRate: Readonly<Record<'maker' | 'taker', bigint>>
  readonly higherFeeRate: bigint
  /** Resting orders, best price first, then the one that came first to that price (decision 11). */
  readonly book: Readonly<Record<Side, NaiveOrder[]>>
  /** Those that are shown to the public. */
  readonly trades: Trade[]
  readonly rows: NaiveRow[]
  /** The rows that form a price. */
  readonly pricing: NaiveRow[]
}

export function naiveMarket(config: MarketConfig, digits: ReadonlyMap<string, number>): NaiveMarket {
  const extraDigits = (asset: string, own: number): bigint => tenTo((digits.get(asset) ?? 0) - own)
  const lot = extraDigits(config.baseAsset, config.qtyPrecision)
  const tickLot = extraDigits(config.quoteAsset, config.pricePrecision + config.qtyPrecision)
  const [maker, taker] = [feeRateOf(config.makerFeeBps), feeRateOf(config.takerFeeBps)]
  return {
    config,
    baseUnits: (lots) => BigInt(lots) * lot,
    quoteUnits: (notional) => notional * tickLot,
    feeRate: { maker, taker },
    higherFeeRate: maker > taker ? maker : taker,
    book: { BUY: [], SELL: [] },
    trades: [],
    rows: [],
    pricing: [],
  }
}

export function enterRow(market: NaiveMarket, row: NaiveRow): void {
  market.rows.push(row)
  if (row.part !== 'volume') market.pricing.push(row)
}
