/**
 * A season on the real exchange: a crowd of makers and takers around a fair value, players, and the record of it.
 */
import type { SeasonCancel, SeasonFill, SeasonOrder, SeasonRecord } from '../../../src/arena/season-record.ts'
import type { Order, OrderRequest, Side } from '../../../src/domain/order.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { SnapshotExchange } from '../../../src/exchange/exchange.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { KEEP_ALL, market } from '../../exchange/rig/configs.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
const SYMBOL = 'BTC_USD'
const MARKET = market(SYMBOL, { pricePrecision: 2, qtyPrecision: 3, selfTrade: 'reject' })
/** Ticks: 1,000.00 USD; each player begins with 100 BTC and 100,000 USD. */
const FIRST_PRICE = 100_000
const CREDIT_LOTS = 100_000

/** A player or a part of the crowd: it acts when it is called, and is called again after the time that it returns. */
export type Act = (sim: SeasonSim) => number

export interface SimTerms {
  readonly seed: number
  readonly minutes: number
  /** Standard deviation of the fair value in a second, in basis points. */
  readonly volatility: number
  /** Half spread of the crowd's makers in ticks, and mean milliseconds between its takers. */
  readonly halfSpread: number
  readonly takerMs: number
}

export class SeasonSim {
  readonly chance: Chance
  readonly end: number
  fair = FIRST_PRICE
  readonly #terms: SimTerms
  readonly #exchange: SnapshotExchange
  readonly #queue = new EventQueue(START)
  readonly #orders: SeasonOrder[] = []
  readonly #cancels: SeasonCancel[] = []
  readonly #fills: SeasonFill[] = []
  readonly #samples: { time: number; equity: bigint[] }[] = []
  readonly #players: { account: string; name: string; joined: number; line: number }[] = []
  readonly #moves: (() => void)[] = []
  #line = 1

  constructor(terms: SimTerms) {
    this.chance = new Chance(terms.seed)
    this.end = START + terms.minutes * MINUTE
    this.#terms = terms
    this.#exchange = createExchange({ markets: [MARKET], quoteAsset: 'USD', history: KEEP_ALL })
    this.#addCrowd()
  }

  get now(): number {
    return this.#queue.now()
  }

  /** Price of the last trade, in ticks. */
  get last(): number {
    return this.#exchange.market(SYMBOL).lastPrice || FIRST_PRICE
  }

  best(side: Side): number {
    return this.#exchange.bestPrice(SYMBOL, side) ?? this.last
  }

  /** Adds a player who acts first after `delay`. */
  join(account: string, act: Act, delay: number): void {
    this.#line += 1
    this.#credit(account, 1n)
    this.#players.push({ account, name: account, joined: START, line: this.#line })
    this.#repeat(act, delay)
  }

  /** Does something later, such as what a request does when it arrives. */
  later(delay: number, action: () => void): void {
    this.#queue.enter(this.now + Math.max(0, Math.round(delay)), EVENT_KIND.message, action)
  }

  /** Calls whenever the last price has changed by another's trade. */
  onMove(action: () => void): void {
    this.#moves.push(action)
  }

  /** Lots that rest at a price or better. */
  lotsTo(side: Side, price: number): number {
    return this.#exchange.restingTo(SYMBOL, side, price).reduce((all, { qty }) => all + qty, 0)
  }

  limit(account: string, side: Side, price: number, qty: number): number {
    return this.#place(account, { symbol: SYMBOL, side, type: 'LIMIT', price: Math.max(1, Math.round(price)), qty })
  }

  market(account: string, side: Side, qty: number): number {
    return this.#place(account, { symbol: SYMBOL, side, type: 'MARKET', qty })
  }

  cancel(account: string, orderId: number): void {
    this.#line += 1
    const events = this.#exchange.execute({ type: 'cancel', time: this.now, account, orderId })
    if (events.some(({ type }) => type === 'order-cancelled')) {
      this.#cancels.push({ line: this.#line, time: this.now, account, orderId })
    }
  }

  cancelAll(account: string): void {
    for (const { id } of this.#exchange.openOrders(account)) this.cancel(account, id)
  }

  openOrders(account: string): readonly Order[] {
    return this.#exchange.openOrders(account)
  }

  /** Lots bought less sold. */
  position(account: string): number {
    const { available = 0n, locked = 0n } = this.#exchange.balances(account).get('BTC') ?? {}
    return Number(available + locked) - CREDIT_LOTS
  }

  run(): SeasonRecord {
    // The first minute has no price yet.
    for (let time = START + MINUTE; time <= this.end; time += MINUTE) {
      while (this.#queue.nextTime <= time) this.#queue.runNext()
      this.#queue.advance(time)
      this.#samples.push({
        time,
        equity: this.#players.map(({ account }) => this.#exchange.portfolio(account, time).equity),
      })
    }
    return {
      rules: { selfTrading: 'reject', disqualifying: [] },
      markets: [MARKET],
      quoteAsset: 'USD',
      valueScale: this.#exchange.portfolio('crowd-1', this.end).valueScale,
      players: this.#players,
      orders: this.#orders,
      cancels: this.#cancels,
      fills: this.#fills,
      samples: this.#samples,
      start: START + MINUTE,
      end: this.end,
      credits: new Map(),
    }
  }

  #repeat(act: Act, delay: number): void {
    if (this.now + delay >= this.end || delay < 0) return
    this.later(delay, () => this.#repeat(act, act(this)))
  }

  #credit(account: string, times: bigint): void {
    const credit = (asset: string, amount: bigint) =>
      this.#exchange.execute({ type: 'credit', time: this.now, account, asset, amount: amount * times })
    credit('BTC', BigInt(CREDIT_LOTS))
    credit('USD', BigInt(CREDIT_LOTS) * BigInt(FIRST_PRICE))
  }

  #place(account: string, request: OrderRequest): number {
    this.#line += 1
    const [line, time, before] = [this.#line, this.now, this.last]
    let orderId = 0
    for (const event of this.#exchange.execute({ type: 'place', time, account, request })) {
      if (event.type === 'order-accepted') {
        const { id, symbol, side, type, price, qty } = event.order
        orderId = id
        this.#orders.push({ line, time, account, symbol, orderId, side, type, price, qty })
      }
      if (event.type !== 'traded') continue
      const { trade, maker, taker } = event
      this.#fills.push({
        line,
        time,
        symbol: trade.symbol,
        price: trade.price,
        qty: trade.qty,
        maker: { account: maker.userId, orderId: maker.id },
        taker: { account: taker.userId, orderId: taker.id },
        takerSide: taker.side,
      })
    }
    if (this.last !== before) for (const move of this.#moves) move()
    return orderId
  }

  #addCrowd(): void {
    const { chance } = this
    const { volatility, halfSpread, takerMs } = this.#terms
    this.#repeat(() => {
      this.fair *= 1 + (volatility / 10_000) * (chance.fraction() + chance.fraction() + chance.fraction() - 1.5) * 2
      return 1_000
    }, 0)
    for (const account of ['crowd-1', 'crowd-2', 'crowd-3']) {
      this.#credit(account, 10_000n)
      this.#repeat(
        () => {
          this.cancelAll(account)
          for (let level = 0; level < 4; level += 1) {
            const away = halfSpread * (1 + level) + chance.between(0, halfSpread)
            this.limit(account, 'BUY', this.fair - away, chance.between(200, 5_000))
            this.limit(account, 'SELL', this.fair + away, chance.between(200, 5_000))
          }
          return chance.between(500, 2_500)
        },
        chance.between(0, 500),
      )
    }
    this.#credit('crowd-4', 10_000n)
    this.#repeat(() => {
      this.market('crowd-4', chance.pick(['BUY', 'SELL']), chance.between(50, 3_000))
      return 1 + Math.round(takerMs * 2 * chance.fraction())
    }, 1_000)
  }
}
