/** Adds each trade of a market to its histories: the market's newest trades, and the fills of both parties. */
import type { UncountedMatches } from '../domain/command.ts'
import type { Trade } from '../domain/trade.ts'
import type { NewTrade } from './accounts/trade-records.ts'
import type { OrderState } from './order-state.ts'

/** Takes each trade as it happens. */
export interface TradeRecorder {
  nextTradeId(): number
  /**
   * @param record   of the trade, to be referenced
   * @param matches  undefined when it enters the statistics
   */
  record(trade: NewTrade, record: number, matches: UncountedMatches | undefined): void
}

/** Fees of the last match, in ledger units of the quote asset. */
export interface Charged {
  readonly makerFee: bigint
  readonly takerFee: bigint
}

export class TradeHistories {
  readonly #market: number
  readonly #shared: OrderState
  readonly #recorder: TradeRecorder
  readonly #charged: Charged
  #time = 0
  #matches: UncountedMatches | undefined

  /** @param market  its place among the markets */
  constructor(market: number, shared: OrderState, recorder: TradeRecorder, charged: Charged) {
    this.#market = market
    this.#shared = shared
    this.#recorder = recorder
    this.#charged = charged
  }

  /** Begins with the trades of one command. @param matches  undefined when they enter the statistics */
  begin(time: number, matches: UncountedMatches | undefined): void {
    this.#time = time
    this.#matches = matches
  }

  /**
   * Histories are read newest first, and the buy order's row of a self-trade precedes the sell order's.
   *
   * @param maker, taker  records of the orders
   */
  add(maker: number, taker: number, price: number, qty: number): Trade {
    const { trades, accounts, orders } = this.#shared
    const { records } = orders
    const isBuyerMaker = records.side(maker) === 'BUY'
    const buy = isBuyerMaker ? maker : taker
    const sell = isBuyerMaker ? taker : maker
    const buyer = records.account(buy)
    const seller = records.account(sell)
    const numbers = {
      id: this.#recorder.nextTradeId(),
      market: this.#market,
      price,
      qty,
      buyOrderId: records.id(buy),
      sellOrderId: records.id(sell),
      buyer,
      seller,
      isBuyerMaker,
      createdAt: this.#time,
    }
    const record = trades.take(numbers)
    const trade = trades.view(record)
    const { makerFee, takerFee } = this.#charged
    trades.setFee(record, 'BUY', isBuyerMaker ? makerFee : takerFee)
    trades.setFee(record, 'SELL', isBuyerMaker ? takerFee : makerFee)
    this.#recorder.record(numbers, record, this.#matches)
    const sellersFills = accounts[seller]?.fills
    const buyersFills = accounts[buyer]?.fills
    if (sellersFills !== undefined) trades.addFill(sellersFills, record, 'SELL')
    if (buyersFills !== undefined) trades.addFill(buyersFills, record, 'BUY')
    trades.settle(record)
    return trade
  }
}
