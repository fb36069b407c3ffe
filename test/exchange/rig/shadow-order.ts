/**
 * An order and its market as the events report of them, and what decision 12 says that it must hold back and pay.
 */
import { CROWD } from '../../../src/domain/command.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { Order, OrderRequest, OrderStatus } from '../../../src/domain/order.ts'
import { FEE_PARTS, feeRateOf, tenTo, unitsRoundedUp } from '../../twin/naive-numbers.ts'
import { ShadowQueue } from './shadow-queue.ts'

export class ShadowMarket {
  readonly config: MarketConfig
  readonly bids = new ShadowQueue<ShadowOrder>('BUY')
  readonly asks = new ShadowQueue<ShadowOrder>('SELL')
  readonly unitsPerLot: bigint
  readonly unitsPerNotional: bigint
  /** In 10^-8 of the notional. */
  readonly rates: Readonly<Record<'maker' | 'taker', bigint>>
  readonly higherRate: bigint

  constructor(config: MarketConfig, scales: ReadonlyMap<string, number>) {
    const { baseAsset, quoteAsset, pricePrecision, qtyPrecision } = config
    this.config = config
    this.unitsPerLot = tenTo((scales.get(baseAsset) ?? 0) - qtyPrecision)
    this.unitsPerNotional = tenTo((scales.get(quoteAsset) ?? 0) - pricePrecision - qtyPrecision)
    const rates = { maker: feeRateOf(config.makerFeeBps), taker: feeRateOf(config.takerFeeBps) }
    this.rates = rates
    this.higherRate = rates.maker > rates.taker ? rates.maker : rates.taker
  }
}

export class ShadowOrder {
  readonly id: number
  readonly account: string
  readonly request: OrderRequest
  readonly market: ShadowMarket
  readonly createdAt: number
  readonly isOfCrowd: boolean
  filledQty = 0
  notional = 0n
  /** In 10^-8 ledger units. */
  exactFee = 0n
  fee = 0n
  /** What is locked for it. */
  reserved = 0n
  isCancelled = false
  /** Lots that were taken off what it was placed for. */
  reducedQty = 0
  makerFills = 0
  takerFills = 0

  constructor(id: number, account: string, request: OrderRequest, market: ShadowMarket, createdAt: number) {
    this.id = id
    this.account = account
    this.request = request
    this.market = market
    this.createdAt = createdAt
    this.isOfCrowd = account === CROWD
  }

  get remaining(): number {
    return this.request.qty - this.reducedQty - this.filledQty
  }

  get price(): number {
    return this.request.type === 'LIMIT' ? this.request.price : 0
  }

  /** What is paid with, and locked. */
  get spends(): string {
    return this.request.side === 'BUY' ? this.market.config.quoteAsset : this.market.config.baseAsset
  }

  get status(): OrderStatus {
    if (this.isCancelled) return 'CANCELLED'
    if (this.remaining === 0) return 'FILLED'
    return this.filledQty === 0 ? 'OPEN' : 'PARTIALLY_FILLED'
  }

  get isOpen(): boolean {
    return !this.isCancelled && this.remaining > 0
  }

  /** Decision 12: what must be locked for it now. */
  get need(): bigint {
    if (this.isOfCrowd || !this.isOpen || this.request.type === 'MARKET') return 0n
    if (this.request.side === 'SELL') return BigInt(this.remaining) * this.market.unitsPerLot
    const rest = BigInt(this.price) * BigInt(this.remaining) * this.market.unitsPerNotional
    return rest + unitsRoundedUp(this.exactFee + rest * this.market.higherRate, FEE_PARTS) - this.fee
  }

  /** Counts a fill. @returns what it is charged */
  fill(price: number, qty: number, role: 'maker' | 'taker'): bigint {
    const notional = BigInt(price) * BigInt(qty)
    this.filledQty += qty
    this.notional += notional
    if (role === 'maker') this.makerFills += 1
    else this.takerFills += 1
    if (this.isOfCrowd) return 0n
    this.exactFee += notional * this.market.unitsPerNotional * this.market.rates[role]
    const charged = unitsRoundedUp(this.exactFee, FEE_PARTS) - this.fee
    this.fee += charged
    return charged
  }

  /** As the exchange must show it. */
  shown(): Order {
    const { symbol, side, type } = this.request
    const qty = this.request.qty - this.reducedQty
    const { id, account, status, filledQty, notional, fee, createdAt } = this
    const common = { id, userId: account, symbol, side, type, status, qty, filledQty, filledNotional: notional, fee }
    return this.request.type === 'LIMIT'
      ? { ...common, price: this.request.price, createdAt }
      : { ...common, createdAt }
  }
}
