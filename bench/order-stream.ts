/**
 * A stream of orders and cancels for a book that holds its number of resting orders: seeded, made once, played against
 * anything.
 *
 * After a prefill, 58 % limit orders (10 points of them cross), 32 % cancels of a random live order, 10 % market
 * orders; quantities 1 to 100, accounts drawn from 1 000. Distances from the best price are geometric; in a wide book
 * prices are uniform over its ticks, half of them on either side.
 */
import { NO_LIMIT } from '../src/exchange/admission.ts'
import { MatchingCore } from '../src/exchange/matching-core.ts'
import { EMPTY_ROW, Ledger } from '../src/exchange/ledger/ledger.ts'
import { Amount } from '../src/exchange/ledger/amount.ts'
import { MarketRules } from '../src/exchange/market-rules.ts'
import { ledgerScales, type MarketConfig } from '../src/domain/market.ts'

export const LIMIT = 0
export const CANCEL = 1
const MARKET = 2

export const ACCOUNTS = 1_000
const MID_PRICE = 6_000_000
const MEAN_DISTANCE = 50
const MAX_QTY = 100

/** Column by column; `order` numbers limit orders from 0, and a cancel names the number of the order it cancels. */
export interface OrderStream {
  readonly length: number
  /** Operations before this one fill the book. */
  readonly prefill: number
  readonly kind: Uint8Array
  readonly isBuy: Uint8Array
  readonly price: Int32Array
  readonly qty: Int32Array
  readonly account: Int32Array
  readonly order: Int32Array
}

export const marketConfig = (makerFeeBps: string, takerFeeBps: string): MarketConfig => ({
  id: 'BTC_USD',
  name: 'BTC_USD',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 5,
  makerFeeBps,
  takerFeeBps,
  selfTrade: 'allow',
})

/** Ledger units that each account starts with, of each asset. */
export const CREDIT = 10n ** 22n

/** A ledger with the accounts, all rich, and the row of each. */
export function richLedger(config: MarketConfig): { ledger: Ledger; rows: Int32Array } {
  const ledger = new Ledger(ledgerScales([config]))
  const amount = new Amount()
  const rows = Int32Array.from({ length: ACCOUNTS }, () => {
    const row = ledger.openAccount()
    for (let asset = 0; asset < 2; asset += 1) ledger.credit(row, asset, amount.set(CREDIT))
    return row
  })
  return { ledger, rows }
}

export const rulesOf = (config: MarketConfig): MarketRules => new MarketRules(config, ledgerScales([config]))

/** Lehmer's generator: whole numbers in [1, 2^31 - 2]. */
class Chance {
  #state = 20_260_101

  /** A number in (0, 1). */
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state / 2_147_483_647
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  distance(): number {
    return Math.floor(Math.log(this.next()) / Math.log(1 - 1 / MEAN_DISTANCE))
  }
}

/** The numbers of the orders that rest, each drawn or removed in constant time. */
class LiveOrders {
  readonly #orders: Int32Array
  readonly #placeOf: Int32Array
  count = 0

  constructor(most: number) {
    this.#orders = new Int32Array(most)
    this.#placeOf = new Int32Array(most)
  }

  add(order: number): void {
    this.#orders[this.count] = order
    this.#placeOf[order] = this.count
    this.count += 1
  }

  remove(order: number): void {
    this.count -= 1
    const place = this.#placeOf[order] ?? 0
    const last = this.#orders[this.count] ?? 0
    this.#orders[place] = last
    this.#placeOf[last] = place
  }

  at(place: number): number {
    return this.#orders[place] ?? 0
  }
}

/**
 * @param resting    orders that the book holds after the prefill, and about that many from then on
 * @param wideTicks  over how many prices are uniform; geometric without
 */
export function orderStream(resting: number, operations: number, wideTicks?: number): OrderStream {
  const length = resting + operations
  const stream = emptyStream(length, resting)
  const chance = new Chance()
  const live = new LiveOrders(length)
  const orderBySlot: number[] = []
  const slotByOrder = new Int32Array(length)
  const core = new MatchingCore(rulesOf(marketConfig('0', '0')), richLedger(marketConfig('0', '0')).ledger, {
    onMatch: (maker) => {
      if (core.book.slots.remaining(maker) === 0) live.remove(orderBySlot[maker] ?? 0)
    },
  })
  let orders = 0
  for (let index = 0; index < length; index += 1) {
    const isBuy = chance.next() < 0.5
    const [side, other] = isBuy ? (['BUY', 'SELL'] as const) : (['SELL', 'BUY'] as const)
    const sign = isBuy ? -1 : 1
    const best = core.book.bestPrice(side) ?? MID_PRICE + sign
    const opposite = core.book.bestPrice(other) ?? MID_PRICE - sign
    const draw = index < resting ? 0.1 : chance.next()
    const qty = 1 + chance.below(MAX_QTY)
    stream.isBuy[index] = isBuy ? 1 : 0
    stream.qty[index] = qty
    stream.account[index] = chance.below(ACCOUNTS)
    if (draw < 0.58 || (draw < 0.9 && live.count === 0)) {
      // The first ones start from the other side's best price, so that the two sides stay one tick apart.
      const passive =
        wideTicks === undefined
          ? (isBuy ? Math.max(best, opposite - 1) : Math.min(best, opposite + 1)) + sign * chance.distance()
          : outsideOf(opposite, isBuy, MID_PRICE + sign * (1 + chance.below(wideTicks / 2)))
      const price = index >= resting && draw < 0.1 ? opposite : passive
      stream.kind[index] = LIMIT
      stream.price[index] = price
      stream.order[index] = orders
      const slot = core.place(EMPTY_ROW + 1, side, price, qty)
      if (slot >= 0) {
        orderBySlot[slot] = orders
        slotByOrder[orders] = slot
        live.add(orders)
      }
      orders += 1
    } else if (draw < 0.9) {
      const order = live.at(chance.below(live.count))
      stream.kind[index] = CANCEL
      stream.order[index] = order
      const slot = slotByOrder[order] ?? 0
      const wasBuy = core.book.slots.price(slot) <= (core.book.bestPrice('BUY') ?? 0)
      stream.isBuy[index] = wasBuy ? 1 : 0
      core.cancel(slot, wasBuy ? 'BUY' : 'SELL')
      live.remove(order)
    } else {
      stream.kind[index] = MARKET
      core.place(EMPTY_ROW + 1, side, NO_LIMIT[side], qty)
    }
  }
  return stream
}

/** A price that meets no one. */
const outsideOf = (opposite: number, isBuy: boolean, price: number): number =>
  isBuy ? Math.min(price, opposite - 1) : Math.max(price, opposite + 1)

const emptyStream = (length: number, prefill: number): OrderStream => ({
  length,
  prefill,
  kind: new Uint8Array(length),
  isBuy: new Uint8Array(length),
  price: new Int32Array(length),
  qty: new Int32Array(length),
  account: new Int32Array(length),
  order: new Int32Array(length),
})
