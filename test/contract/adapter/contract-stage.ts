/**
 * What the contract suite needs of anyone who runs an adapter through it: a fresh exchange with an account, and its
 * time in hand.
 */
import type { ExchangeAdapter } from '../../../src/adapter/exchange-adapter.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { OrderRequest, Side } from '../../../src/domain/order.ts'
import type { OwnBalances } from '../../../src/strategy/own-order.ts'
import { market } from '../../exchange/rig/configs.ts'

/** The markets that the exchange of a stage has, and what the account has on it; it has no orders. */
export const CONTRACT_MARKETS: readonly MarketConfig[] = [
  market('BTC_USD', { pricePrecision: 1, qtyPrecision: 2, makerFeeBps: '10', takerFeeBps: '20' }),
  market('ETH_USD', { pricePrecision: 0, qtyPrecision: 0 }),
]
export const CONTRACT_CREDITS = { USD: '10000', BTC: '5' } as const

/** An adapter to a fresh exchange on which nothing was traded. */
export interface ContractStage {
  readonly adapter: ExchangeAdapter
  /** A time after which every request that was sent is answered, and everything that happened is reported. */
  readonly settleMs: number
  /** A time after which an outcome that was unknown is settled; not there where none is lost. */
  readonly unknownMs?: number
  /** Lets `ms` of the adapter's time pass, and whatever happens in it. */
  pass(ms: number): Promise<void>
  /** Another participant, who can pay for everything, places an order; it is matched when this resolves. */
  otherPlaces(request: OrderRequest): Promise<void>
  /** The account as it is at the exchange. */
  atExchange(): Promise<{ readonly balances: OwnBalances; readonly openOrderIds: readonly string[] }>
  close(): Promise<void>
}

export interface ContractSubject {
  readonly name: string
  readonly open: () => Promise<ContractStage>
  /**
   * Loses the answer to the next request, which the exchange executes or not; not there for an adapter to which none is
   * lost.
   */
  readonly loseNextAnswer?: (stage: ContractStage, isExecuted: boolean) => Promise<void>
  /** Scripts of the property test. */
  readonly numRuns: number
}

export const BTC = 'BTC_USD'

/** Price in tenths, quantity in hundredths. */
export const limit = (side: Side, price: number, qty: number): OrderRequest => ({
  symbol: BTC,
  side,
  type: 'LIMIT',
  price,
  qty,
})

export const atMarket = (side: Side, qty: number): OrderRequest => ({ symbol: BTC, side, type: 'MARKET', qty })
