/**
 * The crowd under a liquidity model that says what the test says.
 */
import { describe, expect, it } from 'vitest'
import { auditToJson } from '../../../src/domain/audit.ts'
import type { Side } from '../../../src/domain/order.ts'
import type {
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedTrade,
} from '../../../src/simulation/liquidity/liquidity-model.ts'
import { fillsOf, MarketStage } from '../rig/market-stage.ts'

const ME = 'me'
const MAX = Number.MAX_SAFE_INTEGER

/** Offers its ladder, brings the quantity of the recorded trade to our orders, and prints what is left of it. */
class ScriptedLiquidity implements LiquidityModel {
  readonly learned: RecordedTrade[] = []
  readonly levels: readonly LadderLevel[]
  readonly #lots: number | undefined

  constructor(levels: readonly LadderLevel[] = [], lots?: number) {
    this.levels = levels
    this.#lots = lots
  }

  get quote(): undefined {
    return undefined
  }

  learn(trade: RecordedTrade): void {
    this.learned.push(trade)
  }

  gap(): void {
    // Nothing is remembered.
  }

  took(): void {
    // The ladder is what the test says.
  }

  ladder(): readonly LadderLevel[] {
    return this.levels
  }

  queueAhead(): number {
    return 0
  }

  reach(_side: Side, { price, qty }: RecordedTrade): Reach {
    const lots = this.#lots ?? qty
    return { price, lots, ours: lots }
  }

  remainder({ qty }: RecordedTrade, filled: number): number {
    return Math.max(0, qty - filled)
  }
}

function stageOf(model: LiquidityModel): MarketStage {
  const stage = new MarketStage({ model: () => model })
  stage.credit(ME, 'USD', 1_000_000n)
  stage.credit(ME, 'BTC', 1_000n)
  return stage
}

describe('a ladder', () => {
  const asks = [
    { price: 101, qty: 2 },
    { price: 103, qty: 3 },
    { price: 107, qty: 4 },
  ]

  it('is walked by a market order, best price first; what it lacks is cancelled', () => {
    const stage = stageOf(new ScriptedLiquidity(asks))
    const events = stage.market(ME, 'BUY', 10)
    expect(fillsOf(events, ME)).toEqual(['BUY 2 at 101, taker', 'BUY 3 at 103, taker', 'BUY 4 at 107, taker'])
    expect(events.at(-1)).toMatchObject({ type: 'order-cancelled', order: { status: 'CANCELLED', filledQty: 9 } })
  })

  it('is walked by a limit order as far as its price; the rest of it rests', () => {
    const stage = stageOf(new ScriptedLiquidity(asks))
    expect(fillsOf(stage.limit(ME, 'BUY', 104, 10), ME)).toEqual(['BUY 2 at 101, taker', 'BUY 3 at 103, taker'])
    expect(stage.exchange.depth('BTC_USD')).toEqual({ bids: [{ price: 104, qty: 5n }], asks: [] })
  })

  it.each`
    side      | price
    ${'BUY'}  | ${101}
    ${'SELL'} | ${101}
  `('is taken at its edge by a $side at $price', ({ side, price }) => {
    const stage = stageOf(new ScriptedLiquidity([{ price: 101, qty: 2 }]))
    expect(fillsOf(stage.limit(ME, side, price, 2), ME)).toEqual([`${side} 2 at 101, taker`])
  })

  it.each`
    request                                       | last                 | why
    ${{ side: 'BUY', type: 'MARKET', qty: 9 }}    | ${'traded'}          | ${'taken whole'}
    ${{ side: 'BUY', type: 'MARKET', qty: 1 }}    | ${'traded'}          | ${'taken in part'}
    ${{ side: 'BUY', type: 'MARKET', qty: 5000 }} | ${'order-cancelled'} | ${'not enough'}
    ${{ side: 'BUY', type: 'MARKET', qty: 0 }}    | ${'order-refused'}   | ${'refused'}
  `('is gone after the order: $why', ({ request, last }) => {
    const stage = stageOf(new ScriptedLiquidity(asks))
    expect(stage.place(ME, { symbol: 'BTC_USD', ...request }).at(-1)?.type).toBe(last)
    expect(stage.exchange.depth('BTC_USD')).toEqual({ bids: [], asks: [] })
  })

  it('takes no order id for a level that the order does not reach', () => {
    const stage = stageOf(new ScriptedLiquidity(asks))
    stage.limit(ME, 'BUY', 100, 1)
    expect(stage.exchange.lastOrderId).toBe(1)
    stage.limit(ME, 'BUY', 103, 1)
    expect(stage.exchange.lastOrderId).toBe(1 + 2 + 1)
  })

  it('is not reported itself: only the order and its trades are', () => {
    const stage = stageOf(new ScriptedLiquidity(asks))
    stage.events.length = 0
    stage.market(ME, 'BUY', 1)
    expect(stage.events.map(({ type }) => type)).toEqual(['order-accepted', 'traded'])
    expect(stage.trades).toHaveLength(1)
  })
})

describe('a recorded trade', () => {
  it('fills our orders by price and time as far as it reaches, at our prices, and the rest of it is printed', () => {
    const stage = stageOf(new ScriptedLiquidity())
    stage.limit(ME, 'BUY', 95, 3)
    stage.limit(ME, 'BUY', 96, 2)
    stage.limit(ME, 'BUY', 95, 4)
    stage.limit(ME, 'BUY', 90, 9)
    stage.record(1, 95, 6, 'sell')
    expect(stage.tape).toEqual(['96 x 2 sell', '95 x 3 sell', '95 x 1 sell'])
    stage.record(2, 95, 8, 'sell')
    expect(stage.tape.slice(3)).toEqual(['95 x 3 sell', '95 x 5 sell'])
    expect(stage.exchange.depth('BTC_USD').bids).toEqual([{ price: 90, qty: 9n }])
  })

  it('brings no more than rests there, whatever the model says', () => {
    const stage = stageOf(new ScriptedLiquidity([], 1_000))
    stage.limit(ME, 'SELL', 95, 3)
    stage.record(1, 96, 1)
    expect(stage.tape).toEqual(['95 x 3 buy'])
    expect(stage.exchange.depth('BTC_USD')).toEqual({ bids: [], asks: [] })
  })

  it('that reaches none of ours is printed whole at once', () => {
    const stage = stageOf(new ScriptedLiquidity())
    stage.limit(ME, 'BUY', 95, 3)
    stage.limit(ME, 'SELL', 105, 3)
    stage.record(1, 100, 7, 'sell')
    expect(stage.tape).toEqual(['100 x 7 sell'])
  })

  it('is learned after it was traded, once', () => {
    const model = new ScriptedLiquidity()
    const stage = stageOf(model)
    stage.simulated.listen('BTC_USD', { onTrade: () => expect(model.learned).toEqual([]) })
    stage.record(1, 100, 7, 'sell')
    expect(model.learned).toEqual([{ time: 1, price: 100, qty: 7, isBuyerMaker: true }])
  })

  it('fills orders that together are more than the largest quantity of one order', () => {
    const stage = stageOf(new ScriptedLiquidity([], Infinity))
    stage.credit(ME, 'USD', 3n * BigInt(MAX))
    for (let orders = 0; orders < 3; orders += 1) stage.limit(ME, 'BUY', 1, MAX)
    stage.record(1, 1, 5, 'sell')
    expect(stage.exchange.openOrders(ME)).toEqual([])
    expect(stage.exchange.balances(ME).get('BTC')?.available).toBe(3n * BigInt(MAX) + 1_000n)
    expect(auditToJson(stage.exchange.audit()).ok).toBe(true)
  })

  it('fills more orders than a call takes arguments', () => {
    const orders = 150_000
    const stage = stageOf(new ScriptedLiquidity())
    for (let placed = 0; placed < orders; placed += 1) stage.limit(ME, 'BUY', 1, 1)
    stage.record(1, 1, orders + 1, 'sell')
    expect(stage.exchange.bestPrice('BTC_USD', 'BUY')).toBeUndefined()
    expect(stage.trades).toHaveLength(orders + 1)
  })
})
