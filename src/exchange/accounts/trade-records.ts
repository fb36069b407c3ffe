/** Trades as numeric records, reference counted by the histories of the market, the buyer and the seller. */
import type { Side } from '../../domain/order.ts'
import type { Fill, Trade } from '../../domain/trade.ts'
import { ExactColumn } from '../records/exact-column.ts'
import type { NumberRing } from '../records/number-ring.ts'
import { RecordPages } from '../records/record-pages.ts'

// Doubles of a record; then integers of the same bytes.
const ID = 0
const PRICE = 1
const QTY = 2
const CREATED_AT = 3
const BUY_ORDER = 4
const SELL_ORDER = 5
const BUYER = 12
const SELLER = 13
const KIND = 14
/** Reference count: the number of histories that contain the trade. */
const REFERENCES = 15
const WIDTH = 8

// Layout of KIND: bit 0 when the buyer is the maker, then the market's index.
const BUYER_IS_MAKER = 1
const MARKET_SHIFT = 1

// Layout of a fill: bit 0 for the buyer's, then the record of its trade.
const OF_BUYER = 1
const TRADE_SHIFT = 1

/** A trade in numbers: accounts are rows of the ledger, markets are numbered. */
export interface NewTrade {
  readonly id: number
  readonly market: number
  readonly price: number
  readonly qty: number
  readonly buyOrderId: number
  readonly sellOrderId: number
  readonly buyer: number
  readonly seller: number
  readonly isBuyerMaker: boolean
  readonly createdAt: number
}

export class TradeRecords {
  /** Names of the accounts, by row of the ledger. */
  readonly #accounts: readonly string[]
  /** Symbols by market index. */
  readonly #symbols: readonly string[]
  readonly #pages: RecordPages
  readonly #buyerFee: ExactColumn
  readonly #sellerFee: ExactColumn

  constructor(
    accounts: readonly string[],
    symbols: readonly string[],
    pages = new RecordPages(WIDTH),
    buyerFee = new ExactColumn(),
    sellerFee = new ExactColumn(),
  ) {
    this.#accounts = accounts
    this.#symbols = symbols
    this.#pages = pages
    this.#buyerFee = buyerFee
    this.#sellerFee = sellerFee
  }

  /** All of them as they are now, to be read later. */
  copy(): TradeRecords {
    const pages = this.#pages.copy()
    return new TradeRecords(this.#accounts, this.#symbols, pages, this.#buyerFee.copy(), this.#sellerFee.copy())
  }

  /** @returns a record without references: call `settle` once all histories have had the chance to add it */
  take(trade: NewTrade): number {
    const pages = this.#pages
    const record = pages.take(trade.id)
    const doubles = pages.doublesOf(record)
    const integers = pages.integersOf(record)
    const place = pages.placeOf(record)
    doubles[place + PRICE] = trade.price
    doubles[place + QTY] = trade.qty
    doubles[place + CREATED_AT] = trade.createdAt
    doubles[place + BUY_ORDER] = trade.buyOrderId
    doubles[place + SELL_ORDER] = trade.sellOrderId
    integers[2 * place + BUYER] = trade.buyer
    integers[2 * place + SELLER] = trade.seller
    integers[2 * place + KIND] = (trade.market << MARKET_SHIFT) | (trade.isBuyerMaker ? BUYER_IS_MAKER : 0)
    integers[2 * place + REFERENCES] = 0
    return record
  }

  setFee(record: number, side: Side, fee: bigint): void {
    if (fee !== 0n) this.#feesOf(side).set(record, fee)
  }

  /** Adds a trade to a market's newest. */
  addNewest(trades: NumberRing, record: number): void {
    if (trades.limit === 0) return
    this.#hold(record)
    this.#drop(trades.push(record))
  }

  /** Adds a fill to an account's newest. */
  addFill(fills: NumberRing, record: number, side: Side): void {
    if (fills.limit === 0) return
    this.#hold(record)
    const forgotten = fills.push((record << TRADE_SHIFT) | (side === 'BUY' ? OF_BUYER : 0))
    this.#drop(forgotten >> TRADE_SHIFT)
  }

  /** Releases a trade without references. */
  settle(record: number): void {
    if (this.#pages.integer(record, REFERENCES) === 0) this.#release(record)
  }

  view(record: number): Trade {
    const pages = this.#pages
    const doubles = pages.doublesOf(record)
    const integers = pages.integersOf(record)
    const place = pages.placeOf(record)
    const kind = integers[2 * place + KIND] ?? 0
    return {
      id: doubles[place + ID] ?? 0,
      symbol: this.#symbols[kind >> MARKET_SHIFT] ?? '',
      price: doubles[place + PRICE] ?? 0,
      qty: doubles[place + QTY] ?? 0,
      buyOrderId: doubles[place + BUY_ORDER] ?? 0,
      sellOrderId: doubles[place + SELL_ORDER] ?? 0,
      buyerId: this.#accounts[integers[2 * place + BUYER] ?? 0] ?? '',
      sellerId: this.#accounts[integers[2 * place + SELLER] ?? 0] ?? '',
      isBuyerMaker: (kind & BUYER_IS_MAKER) !== 0,
      createdAt: doubles[place + CREATED_AT] ?? 0,
    }
  }

  /** @param fill  of a ring of fills */
  fillView(fill: number): Fill {
    const record = fill >> TRADE_SHIFT
    const trade = this.view(record)
    const side = (fill & OF_BUYER) === 0 ? 'SELL' : 'BUY'
    return {
      trade,
      side,
      orderId: side === 'BUY' ? trade.buyOrderId : trade.sellOrderId,
      isMaker: trade.isBuyerMaker === (side === 'BUY'),
      fee: this.#feesOf(side).get(record),
    }
  }

  #feesOf(side: Side): ExactColumn {
    return side === 'BUY' ? this.#buyerFee : this.#sellerFee
  }

  #hold(record: number): void {
    this.#pages.setInteger(record, REFERENCES, this.#pages.integer(record, REFERENCES) + 1)
  }

  /** @param record  NONE for none */
  #drop(record: number): void {
    if (record < 0) return
    const references = this.#pages.integer(record, REFERENCES) - 1
    this.#pages.setInteger(record, REFERENCES, references)
    if (references === 0) this.#release(record)
  }

  #release(record: number): void {
    this.#buyerFee.clear(record)
    this.#sellerFee.clear(record)
    this.#pages.release(record)
  }
}
