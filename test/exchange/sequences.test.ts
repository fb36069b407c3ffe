/**
 * Sequences of orders, cancels and what must come of them, played beside the twin and under its laws: those of a book
 * in Python (vectors/make-sequences.py), and the unit tests of another order book, liquibook, where they are at hand.
 *
 * Their immediate-or-cancel is an order and a cancel of what is left of it; fill-or-kill asks first how much there is
 * at its limit.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { isOpen, opposite } from '../../src/domain/order.ts'
import type { Order, OrderRequest, Side } from '../../src/domain/order.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { oneMarket } from './rig/configs.ts'
import { TwinDrive } from './rig/twin-drive.ts'

const OWN = new URL('vectors/sequences.jsonl', import.meta.url)
const FILE = fileURLToPath(new URL('../../../shared/data/vectors/liquibook_sequences.json', import.meta.url))
const SYMBOL = 'BTC_USD'
const ACCOUNT = 'me'

interface Fill {
  readonly order: string
  readonly filled_qty: number
  readonly filled_cost: number
}

interface Submit {
  readonly op: 'submit'
  readonly id: string
  readonly side: 'buy' | 'sell'
  readonly type: 'limit' | 'market'
  readonly price: number | null
  readonly qty: number
  readonly tif: 'GTC' | 'IOC' | 'FOK'
  readonly expect_trades: readonly { maker: string; taker: string; price: number; qty: number }[]
  readonly expect_status: 'accepted' | 'complete' | 'cancelled'
  readonly expect_remaining: number
}

type LiquibookStep =
  | Submit
  | { readonly op: 'cancel'; readonly id: string; readonly expect_status: string; readonly expect_remaining: number }
  | { readonly check: 'resting_order_count'; readonly side: 'bids' | 'asks'; readonly n: number }
  | {
      readonly check: 'level'
      readonly side: 'bid' | 'ask'
      readonly index: number
      readonly price: number
      readonly orders: number
      readonly qty: number
    }
  | { readonly check: 'first_in_queue'; readonly side: 'bids' | 'asks'; readonly id: string }
  | { readonly check: 'fills_since_prev_check_scope'; readonly fills: readonly Fill[] }

interface Sequence {
  readonly id: string
  readonly steps: readonly LiquibookStep[]
}

const sideOf = (name: string): Side => (name.startsWith('b') ? 'BUY' : 'SELL')

class Player {
  readonly #drive = new TwinDrive(oneMarket(), {
    create: createExchange,
    restore: restoreExchange,
    accounts: [ACCOUNT],
    lookEvery: 1,
    restartEvery: 3,
  })
  /** Ids of the exchange by the names that the sequence gives its orders; none for one that was killed. */
  readonly #idsByName = new Map<string, number>()
  readonly #fillsByName = new Map<string, { qty: number; cost: number }>()

  constructor() {
    for (const asset of ['BTC', 'USD']) {
      const command = { type: 'credit', time: 0, account: ACCOUNT, asset, amount: 10n ** 12n } as const
      this.#drive.play({ do: 'execute', command })
    }
  }

  step(step: LiquibookStep): void {
    if ('op' in step) {
      if (step.op === 'submit') this.#submit(step)
      else this.#cancel(step.id, step.expect_status, step.expect_remaining)
      return
    }
    switch (step.check) {
      case 'resting_order_count':
        expect(this.#resting(sideOf(step.side))).toHaveLength(step.n)
        return
      case 'first_in_queue':
        expect(this.#resting(sideOf(step.side))[0]?.orderId).toBe(this.#idsByName.get(step.id))
        return
      case 'fills_since_prev_check_scope':
        this.#checkFills(step.fills)
        return
      case 'level':
        this.#checkLevel(step)
    }
  }

  #submit({ id, side, type, price, qty, tif, ...expected }: Submit): void {
    const common = { symbol: SYMBOL, side: sideOf(side), qty }
    const request: OrderRequest =
      type === 'limit' ? { ...common, type: 'LIMIT', price: price ?? 0 } : { ...common, type: 'MARKET' }
    if (tif === 'FOK' && this.#availableTo(request) < qty) {
      expect(expected).toMatchObject({ expect_trades: [], expect_status: 'cancelled', expect_remaining: qty })
      return
    }
    const command = { type: 'place', time: 0, account: ACCOUNT, request } as const
    const [accepted, ...events] = this.#drive.play({ do: 'execute', command })
    if (accepted?.type !== 'order-accepted') throw new Error(`${id} is not accepted`)
    this.#idsByName.set(id, accepted.order.id)
    expect(this.#tradesOf(events)).toEqual(expected.expect_trades)
    if (tif !== 'GTC' && isOpen(this.#order(id).status)) this.#cancelNow(id)
    this.#checkOrder(id, expected.expect_status, expected.expect_remaining)
  }

  /** Lots that an order would find now. */
  #availableTo(request: OrderRequest): number {
    const limit = request.type === 'LIMIT' ? request.price : request.side === 'BUY' ? Infinity : 0
    const found = this.#drive.exchange.restingTo(SYMBOL, opposite(request.side), limit)
    return found.reduce((sum, { qty }) => sum + qty, 0)
  }

  #tradesOf(events: readonly ExchangeEvent[]): readonly object[] {
    const nameOf = (order: Order): string | undefined =>
      [...this.#idsByName].find(([, orderId]) => orderId === order.id)?.[0]
    const trades = events.filter((event) => event.type === 'traded')
    return trades.map(({ trade: { price, qty }, maker, taker }) => {
      const names = { maker: nameOf(maker), taker: nameOf(taker) }
      for (const name of [names.maker, names.taker]) this.#countFill(name ?? '', qty, price * qty)
      return { ...names, price, qty }
    })
  }

  #countFill(name: string, qty: number, cost: number): void {
    const filled = this.#fillsByName.get(name) ?? { qty: 0, cost: 0 }
    this.#fillsByName.set(name, { qty: filled.qty + qty, cost: filled.cost + cost })
  }

  #cancelNow(name: string): void {
    const orderId = this.#idsByName.get(name) ?? 0
    this.#drive.play({ do: 'execute', command: { type: 'cancel', time: 0, account: ACCOUNT, orderId } })
  }

  #cancel(name: string, status: string, remaining: number): void {
    this.#cancelNow(name)
    this.#checkOrder(name, status, remaining)
  }

  #checkOrder(name: string, status: string, remaining: number): void {
    const order = this.#order(name)
    const [open, filled, cancelled] = [isOpen(order.status), order.status === 'FILLED', order.status === 'CANCELLED']
    expect({ accepted: open, complete: filled, cancelled }).toHaveProperty(status, true)
    expect(order.qty - order.filledQty).toBe(remaining)
  }

  #checkLevel({ side, index, price, orders, qty }: Extract<LiquibookStep, { check: 'level' }>): void {
    const { exchange } = this.#drive
    const { bids, asks } = exchange.depth(SYMBOL)
    const level = (side === 'bid' ? bids : asks)[index]
    // The source writes an absent level as zeros.
    expect(level ?? { price: 0, qty: 0n }).toEqual({ price, qty: BigInt(qty) })
    expect(exchange.restingAt(SYMBOL, sideOf(side), price)).toHaveLength(orders)
  }

  /** Of the orders that are named, since the check before. */
  #checkFills(fills: readonly Fill[]): void {
    for (const { order, filled_qty: qty, filled_cost: cost } of fills) {
      expect(this.#fillsByName.get(order) ?? { qty: 0, cost: 0 }, order).toEqual({ qty, cost })
    }
    this.#fillsByName.clear()
  }

  #resting(side: Side) {
    return this.#drive.exchange.restingTo(SYMBOL, side, side === 'BUY' ? 0 : Infinity)
  }

  #order(name: string): Order {
    const order = this.#drive.exchange.order(ACCOUNT, this.#idsByName.get(name) ?? 0)
    if (order === undefined) throw new Error(`no order ${name}`)
    return order
  }
}

const sequences = (): readonly Sequence[] =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as { sequences: Sequence[] }).sequences : []

const ownSequences = readFileSync(OWN, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sequence)

describe('the sequences of a book in Python', () => {
  it('have orders of every kind, and trades', () => {
    const submits = ownSequences.flatMap(({ steps }) => steps).filter((step) => 'op' in step && step.op === 'submit')
    for (const kind of ['limit GTC', 'limit IOC', 'limit FOK', 'market IOC']) {
      const ofKind = submits.filter(({ type, tif }) => `${type} ${tif}` === kind)
      expect(ofKind.filter((each) => each.expect_trades.length > 0).length, kind).toBeGreaterThan(10)
    }
  })

  it.each(ownSequences)('$id', ({ steps }) => {
    const player = new Player()
    for (const step of steps) player.step(step)
  })
})

describe.skipIf(!existsSync(FILE))('the sequences of liquibook (skipped without ../shared/data)', () => {
  it('are forty', () => expect(sequences()).toHaveLength(40))

  it.each(sequences())('$id', ({ steps }) => {
    const player = new Player()
    for (const step of steps) player.step(step)
  })
})
