/**
 * Random sessions in a market that reports each order: some come, some cancel, in part or whole, some are traded,
 * several in a millisecond; and orders of ours join them. Its sides never meet.
 */
import fc from 'fast-check'
import type { Side } from '../../../../src/domain/order.ts'
import type { MadeFall, MadeLevel } from '../../../tape/rig/depth-of.ts'
import { PLAIN, type Session, type Step } from './depth-session.ts'

/** Of the first of a side, 0 to 2 ticks outward. */
const FIRST = { BUY: 99, SELL: 101 } as const
const LEVELS = [0, 1, 2] as const

type Move = { readonly wait: number; readonly side: Side } & (
  | { readonly do: 'add'; readonly level: number; readonly lots: number }
  | { readonly do: 'cancel'; readonly pick: number; readonly lots: number }
  | { readonly do: 'trade'; readonly lots: number; readonly pick: number }
  | { readonly do: 'place'; readonly level: number; readonly lots: number }
  | { readonly do: 'take'; readonly lots: number }
  | { readonly do: 'withdraw'; readonly pick: number }
)

/** One that rests in the market. */
export interface MarketOrder {
  readonly side: Side
  readonly price: number
  readonly since: number
  readonly lots: number
}

export interface OrderSession extends Session {
  /** The market's orders once all of a millisecond has happened. */
  readonly restingAfter: ReadonlyMap<number, readonly MarketOrder[]>
}

export interface OrderMarketOptions {
  /** Trades take the oldest first; else any. */
  readonly isFifo: boolean
  /** Of each side one order of ours, which is never cancelled, and never takes. */
  readonly isQuiet: boolean
}

const lots = fc.integer({ min: 1, max: 6 })
const wait = fc.constantFrom(0, 0, 0, 1, 1, 2)
const side = fc.constantFrom<Side>('BUY', 'SELL')
const level = fc.constantFrom(0, 0, 1, 2)
const pick = fc.nat(20)

const move = (isQuiet: boolean): fc.Arbitrary<Move> =>
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: fc.constant('add' as const), wait, side, level, lots }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('cancel' as const), wait, side, pick, lots }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('trade' as const), wait, side, lots, pick }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('place' as const), wait, side, level, lots }) },
    { weight: isQuiet ? 0 : 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), wait, side, pick }) },
    { weight: isQuiet ? 0 : 1, arbitrary: fc.record({ do: fc.constant('take' as const), wait, side, lots }) },
  )

export const randomOrderSession = (options: OrderMarketOptions): fc.Arbitrary<OrderSession> =>
  fc
    .array(move(options.isQuiet), { minLength: 5, maxLength: 50, size: 'max' })
    .map((moves) => new OrderMarket(options).session(moves))

const RANKS = { trade: 0, frame: 1, quote: 2, place: 3, cancel: 3 } as const

class OrderMarket {
  readonly #options: OrderMarketOptions
  #orders: MarketOrder[] = []
  readonly #steps: Step[] = []
  readonly #ours: { readonly order: string; readonly side: Side; readonly price: number }[] = []
  #taken = 0
  #time = 0

  constructor(options: OrderMarketOptions) {
    this.#options = options
  }

  session(moves: readonly Move[]): OrderSession {
    for (const side of ['BUY', 'SELL'] as const) {
      for (const level of LEVELS) this.#orders.push({ side, price: priceOf(side, level), since: 0, lots: 3 + level })
    }
    this.#frame([...this.#orders], [], true)
    const restingAfter = new Map([[0, this.#orders]])
    for (const each of moves) {
      this.#time += each.wait
      this.#do(each)
      restingAfter.set(this.#time, this.#orders)
    }
    const steps = this.#steps.toSorted((a, b) => a.time - b.time || RANKS[a.do] - RANKS[b.do])
    return { settings: PLAIN, steps, restingAfter }
  }

  #do(each: Move): void {
    const { side } = each
    const time = this.#time
    if (each.do === 'add') {
      const order = { side, price: priceOf(side, each.level), since: time, lots: each.lots }
      this.#orders = [...this.#orders, order]
      this.#frame([order], [])
    } else if (each.do === 'cancel') {
      const there = this.#orders.filter((order) => order.side === side)
      const order = there[each.pick % Math.max(1, there.length)]
      if (order !== undefined) this.#frame([order], [this.#lower(order, each.lots, false)])
    } else if (each.do === 'trade') this.#trade(each)
    else if (each.do === 'place') this.#place(side, priceOf(side, each.level), each.lots)
    else if (each.do === 'take') {
      this.#taken += 1
      this.#steps.push({ do: 'place', time, order: `B${this.#taken}`, side, price: undefined, qty: each.lots })
    } else {
      const found = this.#ours[each.pick % Math.max(1, this.#ours.length)]
      if (found !== undefined) this.#steps.push({ do: 'cancel', time, order: found.order })
    }
  }

  #place(side: Side, price: number, qty: number): void {
    const isThere = this.#ours.some((order) => order.side === side)
    if (this.#options.isQuiet && isThere) return
    const order = `A${this.#ours.length + 1}`
    this.#ours.push({ order, side, price })
    this.#steps.push({ do: 'place', time: this.#time, order, side, price, qty })
  }

  #trade({ side, lots, pick }: Extract<Move, { do: 'trade' }>): void {
    const prices = this.#orders.filter((order) => order.side === side).map(({ price }) => price)
    if (prices.length === 0) return
    const price = side === 'BUY' ? Math.max(...prices) : Math.min(...prices)
    const there = this.#orders.filter((order) => order.side === side && order.price === price)
    const from = this.#options.isFifo ? 0 : pick % there.length
    const falls: MadeFall[] = []
    let left = lots
    for (const order of [...there.slice(from), ...there.slice(0, from)]) {
      if (left === 0) break
      const fall = this.#lower(order, left, true)
      left -= fall.lots
      falls.push(fall)
    }
    this.#steps.push({ do: 'trade', time: this.#time, price, qty: lots - left, side: side === 'BUY' ? 'sell' : 'buy' })
    this.#frame(there, falls)
  }

  #lower(order: MarketOrder, lots: number, isTraded: boolean): MadeFall {
    const { side, price, since } = order
    const gone = Math.min(lots, order.lots)
    this.#orders = this.#orders.flatMap((each) => {
      if (each !== order) return [each]
      return each.lots === gone ? [] : [{ ...each, lots: each.lots - gone }]
    })
    return { side: side === 'BUY' ? 'bid' : 'ask', price, since, lots: gone, isTraded }
  }

  /** Reports the levels of some orders. */
  #frame(of: readonly MarketOrder[], falls: readonly MadeFall[], isSnapshot = false): void {
    const levels = (side: Side): readonly MadeLevel[] => {
      const prices = [...new Set(of.filter((order) => order.side === side).map(({ price }) => price))]
      prices.sort((a, b) => (side === 'BUY' ? b - a : a - b))
      return prices.map((price): MadeLevel => [price, this.#lotsAt(side, price)])
    }
    const [bids, asks] = [levels('BUY'), levels('SELL')]
    this.#steps.push({ do: 'frame', time: this.#time, isSnapshot, bids, asks, falls })
  }

  #lotsAt(side: Side, price: number): number {
    const there = this.#orders.filter((order) => order.side === side && order.price === price)
    return there.reduce((sum, order) => sum + order.lots, 0)
  }
}

const priceOf = (side: Side, level: number): number => (side === 'BUY' ? FIRST.BUY - level : FIRST.SELL + level)
