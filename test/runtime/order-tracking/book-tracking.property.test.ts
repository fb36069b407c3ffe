/**
 * What the journal says of resting orders in a market whose book was recorded: by hand, and held against the exchange
 * on random ones.
 */
import { runs } from '../../property/property.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CROWD } from '../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import { isOpen, type Order, type Side } from '../../../src/domain/order.ts'
import { lotsLeft } from '../../../src/runtime/order-tracking/resting-orders-by-side.ts'
import { BOOK_MODELS } from '../../../src/simulation/liquidity/liquidity-models.ts'
import type { MadeFrame, MadeLevel } from '../../tape/rig/depth-of.ts'
import { BookStage, BTC, ME } from './rig/book-stage.ts'

const snapshot = (time: number, bids: readonly MadeLevel[], asks: readonly MadeLevel[]): MadeFrame => ({
  time,
  isSnapshot: true,
  bids,
  asks,
})

/** 5 are bid at 100, 5 are offered at 102. */
const OPENING = snapshot(0, [[100, 5]], [[102, 5]])
const BID = { side: 'BUY', price: 100, qty: 2 } as const

const onlyBid = (time: number, qty: number): MadeFrame => ({ time, bids: [[100, qty]], asks: [] })

const openedStage = (...args: ConstructorParameters<typeof BookStage>): BookStage => {
  const stage = new BookStage(...args)
  stage.frame(OPENING)
  return stage
}

const lifeOf = (stage: BookStage, id: number) => {
  const life = stage.life(id)
  if (life === undefined) throw new Error(`order ${id} does not rest`)
  return life
}

describe('the lines of a resting order', () => {
  it('what was ahead of it and was cancelled is reported when it leaves, and what was traded is not', () => {
    const stage = openedStage()
    stage.place(1_000, BID)
    stage.trade([2_000, 100, 1, 'sell'])
    stage.frame(onlyBid(2_000, 4))
    stage.frame(onlyBid(3_000, 1))
    stage.trade([4_000, 100, 9, 'sell'])
    expect(stage.journal).toEqual([
      { t: 1_000, type: 'rested', orderId: '2', crowdAhead: '5', oursAhead: '0' },
      { t: 4_000, type: 'met', orderId: '2', tradeId: expect.any(String), price: '100', qty: '9' },
      {
        t: 4_000,
        type: 'left',
        orderId: '2',
        status: 'FILLED',
        cancelledAhead: '3',
        tradesAt: 2,
        qtyAt: '10',
        tradesThrough: 0,
        qtyThrough: '0',
        qtyToOurs: '0',
        gaps: 0,
      },
    ])
  })

  it('a level that goes was cancelled whole, and one that grows again is behind it', () => {
    const stage = openedStage()
    const id = stage.place(1_000, BID) ?? 0
    stage.frame(onlyBid(2_000, 0))
    stage.frame(onlyBid(3_000, 8))
    expect(stage.tracker.market(BTC).ahead(lifeOf(stage, id))).toEqual({ crowd: 0n, ours: 0n })
    stage.cancel(4_000, id)
    expect(stage.journal.at(-1)).toEqual({
      t: 4_000,
      type: 'left',
      orderId: '2',
      status: 'CANCELLED',
      crowdAhead: '0',
      oursAhead: '0',
      cancelledAhead: '5',
      tradesAt: 0,
      qtyAt: '0',
      tradesThrough: 0,
      qtyThrough: '0',
      qtyToOurs: '0',
      gaps: 0,
    })
  })

  it('one that came later counts what was cancelled since', () => {
    const stage = openedStage()
    const first = stage.place(1_000, BID) ?? 0
    stage.frame(onlyBid(2_000, 4))
    const second = stage.place(2_500, BID) ?? 0
    stage.frame(onlyBid(3_000, 3))
    stage.cancel(4_000, first)
    stage.cancel(4_000, second)
    const lefts = stage.journal.filter(({ type }) => type === 'left')
    expect(lefts.map(({ crowdAhead, cancelledAhead }) => [crowdAhead, cancelledAhead])).toEqual([
      ['3', '2'],
      ['3', '1'],
    ])
  })

  it('a fill by the other side of the book names the level, before any trade, and is none of what was traded', () => {
    const stage = openedStage()
    stage.place(1_000, BID)
    stage.frame(snapshot(2_000, [[98, 5]], [[99, 1]]))
    stage.frame(snapshot(3_000, [[98, 5]], [[100, 7]]))
    expect(stage.lines.slice(1).map((line) => line.replace(/"tradeId":"[0-9]+",/, ''))).toEqual([
      '{"t":2000,"type":"met","orderId":"2","price":"99","qty":"1","by":"book"}',
      '{"t":3000,"type":"met","orderId":"2","price":"100","qty":"1","by":"book"}',
      '{"t":3000,"type":"left","orderId":"2","status":"FILLED","cancelledAhead":"5"}',
    ])
  })

  it('nothing is reported as cancelled where nothing was', () => {
    const stage = openedStage()
    const id = stage.place(1_000, BID) ?? 0
    stage.frame(onlyBid(2_000, 6))
    stage.cancel(3_000, id)
    expect(stage.lines.at(-1)).toBe('{"t":3000,"type":"left","orderId":"2","status":"CANCELLED","crowdAhead":"5"}')
  })
})

/** Few prices, so that orders, levels and trades meet. */
type Step =
  | { readonly do: 'frame'; readonly isSnapshot: boolean; readonly mid: number; readonly qtys: readonly number[] }
  | { readonly do: 'trade'; readonly price: number; readonly qty: number; readonly isSell: boolean }
  | { readonly do: 'place'; readonly isBuy: boolean; readonly price: number; readonly qty: number }
  | { readonly do: 'cancel'; readonly pick: number }

const price = fc.integer({ min: 97, max: 104 })
const qty = fc.integer({ min: 1, max: 6 })
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('frame' as const),
        isSnapshot: fc.boolean(),
        mid: fc.integer({ min: 99, max: 102 }),
        qtys: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 6, maxLength: 6 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('trade' as const), price, qty, isSell: fc.boolean() }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('place' as const), isBuy: fc.boolean(), price, qty }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(20) }) },
  ),
  { minLength: 4, maxLength: 60, size: 'max' },
)

function play(stage: BookStage, step: Step, time: number, open: readonly number[]): void {
  switch (step.do) {
    case 'frame': {
      const { isSnapshot, mid, qtys } = step
      const level = (at: number, index: number): MadeLevel => [at, qtys[index] ?? 0]
      const bids = [0, 1, 2].map((index) => level(mid - index, index))
      const asks = [3, 4, 5].map((index) => level(mid + index - 2, index))
      stage.frame({ time, isSnapshot, bids, asks })
      return
    }
    case 'trade':
      stage.trade([time, step.price, step.qty, step.isSell ? 'sell' : 'buy'])
      return
    case 'place':
      stage.place(time, { side: step.isBuy ? 'BUY' : 'SELL', price: step.price, qty: step.qty })
      return
    case 'cancel': {
      const id = open[step.pick % Math.max(1, open.length)]
      if (id !== undefined) stage.cancel(time, id)
      return
    }
  }
}

interface Counted {
  readonly side: Side
  readonly price: number
  isOpen: boolean
  cancelled: bigint
}

/** Lots of the crowd that are cancelled ahead of each order, counted one by one as they are reported. */
class PlainCount {
  readonly orders = new Map<number, Counted>()

  constructor(stage: BookStage) {
    stage.simulated.onEvents((events) => {
      for (const event of events) this.#hear(event)
    })
  }

  #hear(event: ExchangeEvent): void {
    if (event.type === 'order-accepted') this.#begin(event.order)
    if (event.type === 'traded') for (const order of [event.maker, event.taker]) this.#follow(order)
    if (event.type !== 'order-reduced' && event.type !== 'order-cancelled') return
    const { order } = event
    this.#follow(order)
    if (order.userId === CROWD) this.#count(order, event.type === 'order-reduced' ? event.lots : lotsLeft(order))
  }

  #begin({ id, userId, side, price = 0 }: Order): void {
    if (userId === ME) this.orders.set(id, { side, price, isOpen: true, cancelled: 0n })
  }

  #follow({ id, status }: Order): void {
    const known = this.orders.get(id)
    if (known !== undefined) known.isOpen &&= isOpen(status)
  }

  #count({ id, side, price }: Order, lots: number): void {
    for (const [ours, known] of this.orders) {
      const isBehind = known.isOpen && known.side === side && known.price === price && ours > id
      if (isBehind) known.cancelled += BigInt(lots)
    }
  }
}

describe.each(BOOK_MODELS)('under %s, whatever the book, the trades and the orders do', (model) => {
  it('what is ahead of each order is what the exchange has, and what was cancelled of it is counted', () => {
    const corners = { cancelled: 0, crossed: 0, traded: 0, 'behind the crowd': 0, 'behind ours': 0 }
    fc.assert(
      fc.property(steps, (script) => {
        const stage = new BookStage(model)
        const count = new PlainCount(stage)
        stage.frame(snapshot(0, [[100, 5]], [[101, 5]]))
        for (const [index, step] of script.entries()) {
          const open = [...count.orders.keys()].filter((id) => stage.life(id) !== undefined)
          play(stage, step, index + 1, open)
          for (const [id, { cancelled }] of count.orders) {
            const life = stage.life(id)
            if (life === undefined) continue
            const ahead = stage.tracker.market(BTC).ahead(life)
            expect(ahead, `order ${id} after step ${index}`).toEqual(stage.aheadOf(id))
            expect(life.queue.cancelledAhead(life)).toBe(cancelled)
            corners['behind the crowd'] += ahead.crowd > 0n ? 1 : 0
            corners['behind ours'] += ahead.ours > 0n ? 1 : 0
          }
        }
        stage.tracker.finish()
        for (const line of stage.journal) {
          if (line.type === 'met') corners[line.by === 'book' ? 'crossed' : 'traded'] += 1
          if (line.type !== 'left') continue
          const { cancelled = 0n } = count.orders.get(Number(line.orderId)) ?? {}
          expect(line.cancelledAhead).toBe(cancelled === 0n ? undefined : String(cancelled))
          corners.cancelled += cancelled > 0n ? 1 : 0
        }
      }),
      { numRuns: runs(150) },
    )
    for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
  })
})
