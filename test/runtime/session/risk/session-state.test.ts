/**
 * States of a session: what each lets out, what moves it, and what a loss cancels.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { toDecimal } from '../../../../src/domain/decimal.ts'
import { DAY_MS } from '../../../../src/domain/time.ts'
import type { OwnOrder } from '../../../../src/strategy/own-order.ts'
import { buyLimit, buyMarket, cancel, sellLimit, sellMarket } from '../../../../src/strategy/orders.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { HeldAccount, riskSession, type RiskSession } from '../../rig/risk-session.ts'

const BTC = 'BTC_USD'

let account: HeldAccount
beforeEach(() => {
  account = new HeldAccount([market(BTC), market('ETH_EUR')])
  account.setBalances({ USD: '900', BTC: '1' })
  account.setPrice(BTC, 100)
})

function started(limits: Parameters<typeof riskSession>[1]): RiskSession {
  const run = riskSession(account, limits)
  run.session.start()
  return run
}

/** Acknowledges what was placed last. */
function rest(id: string): OwnOrder {
  const placed = account.placed.at(-1)
  if (placed === undefined) throw new Error('nothing was placed')
  const order = account.orderOf(placed, id, 'OPEN')
  placed.reply({ type: 'acknowledged', order })
  account.reportOrder(order)
  return order
}

describe('by command', () => {
  it('HALTED lets only cancels out, and leaves what rests', () => {
    const { session, emit, refused, lines, states } = started({})
    emit(buyLimit(BTC, 90, 1))
    rest('1')
    session.setState('HALTED', 'by hand')
    emit(buyLimit(BTC, 90, 1), sellLimit(BTC, 110, 1), cancel('1'))
    expect(refused()).toEqual(Array(2).fill('risk: the session is HALTED: by hand'))
    expect([account.placed.length, account.cancelled.length]).toEqual([1, 1])
    expect(lines).toContain('{"t":0,"type":"state","state":"HALTED","why":"by hand"}')
    session.setState('HALTED', 'again')
    session.setState('ACTIVE', 'resumed')
    emit(sellLimit(BTC, 110, 1))
    expect(account.placed).toHaveLength(2)
    expect(states.map(({ state, why }) => `${state} ${why}`)).toEqual(['HALTED by hand', 'ACTIVE resumed'])
  })

  it('can be given before the start, and flips in the middle of a burst', () => {
    const { session, emit, refused } = riskSession(account, {})
    session.setState('HALTED', 'left by the last session')
    const reported: string[] = []
    session.state$.subscribe(({ state }) => reported.push(state))
    session.start()
    emit(buyMarket(BTC, 1))
    session.setState('REDUCING', 'by hand')
    emit(buyMarket(BTC, 1), sellMarket(BTC, 1))
    session.setState('ACTIVE', 'by hand')
    emit(buyMarket(BTC, 1))
    expect([account.placed.length, refused().length, reported]).toEqual([2, 2, ['REDUCING', 'ACTIVE']])
  })

  it('REDUCING lets sells out as long as what is held covers each that could be filled', () => {
    account.setBalances({ USD: '900', BTC: '10' })
    const { session, emit, refused } = started({})
    emit(sellLimit(BTC, 110, 4))
    const open = rest('1')
    emit(sellLimit(BTC, 111, 3))
    account.placed[1]?.reply({ type: 'unknown', reason: 'time-out' })
    session.setState('REDUCING', 'by hand')
    emit(sellLimit(BTC, 110, 4))
    expect(refused().at(-1)).toBe(
      'risk: the session is REDUCING, and sells of 11 BTC, including this order, exceed the 10 held: by hand',
    )
    emit(sellLimit(BTC, 110, 3), sellLimit(BTC, 110, 1), buyLimit(BTC, 1, 1))
    expect([account.placed.length, refused().length]).toEqual([3, 3])
    // A part that was filled is neither held any more nor open.
    account.reportOrder({ ...open, status: 'PARTIALLY_FILLED', filledQty: toDecimal(2) })
    account.reportFill(open, 2)
    emit(sellLimit(BTC, 110, 1))
    account.reportOrder({ ...open, status: 'CANCELLED', filledQty: toDecimal(2) })
    emit(sellLimit(BTC, 110, 2), sellLimit(BTC, 110, 1))
    expect([account.placed.length, refused().length]).toEqual([4, 5])
  })
})

describe('a loss of the day', () => {
  const limits = { dayLoss: toDecimal(50) }

  it('reduces from when it is reached, reports why, and ends with the day', () => {
    const { session, emit, refused, states } = started(limits)
    account.setPrice(BTC, '50.01')
    expect(session.state).toBe('ACTIVE')
    account.setPrice(BTC, 50)
    expect(session.state).toBe('REDUCING')
    emit(buyMarket(BTC, 1), sellMarket(BTC, 1))
    const why = 'the loss of the day is 50 USD, the limit is 50'
    expect(refused()).toEqual([`risk: the session is REDUCING, which allows no buys: ${why}`])
    account.setPrice(BTC, 100)
    expect(session.state).toBe('REDUCING')
    account.time = DAY_MS
    account.setPrice(BTC, 100)
    expect(session.state).toBe('ACTIVE')
    expect(states).toEqual([
      { time: 0, state: 'REDUCING', why },
      { time: DAY_MS, state: 'ACTIVE', why: 'a new day began' },
    ])
  })

  it('is counted from the last price of the day before', () => {
    const { session } = started(limits)
    account.time = DAY_MS - 1
    account.setPrice(BTC, 120)
    account.time = DAY_MS
    account.setPrice(BTC, 70)
    expect(session.state).toBe('REDUCING')
  })

  it('is found when an order asks, without a price that showed it', () => {
    const { emit, refused } = started(limits)
    account.lastPrices.set(BTC, toDecimal(1))
    emit(buyMarket(BTC, 1))
    expect(refused()).toHaveLength(1)
  })

  it('is not ended by a clock that is set back and goes on', () => {
    account.time = DAY_MS + 5
    const { session } = started(limits)
    account.setPrice(BTC, 50)
    account.time = 5
    account.setPrice(BTC, 50)
    account.time = DAY_MS + 6
    account.setPrice(BTC, 50)
    expect(session.state).toBe('REDUCING')
  })

  it('does not end what was commanded, and a command ends it with a new count', () => {
    const { session } = started(limits)
    session.setState('HALTED', 'by hand')
    account.setPrice(BTC, 50)
    expect(session.state).toBe('HALTED')
    account.time = DAY_MS
    account.setPrice(BTC, 49)
    expect(session.state).toBe('HALTED')
    account.setPrice(BTC, 1)
    session.setState('ACTIVE', 'by hand')
    expect(session.state).toBe('ACTIVE')
    account.setBalances({ USD: '860', BTC: '1' })
    expect(session.state).toBe('ACTIVE')
    account.setBalances({ USD: '850', BTC: '1' })
    expect(session.state).toBe('REDUCING')
  })

  it('that is unknown, because a holding has no price yet, refuses all but reducing', () => {
    account.lastPrices.clear()
    account.setBalances({ USD: '900', BTC: '1', ETH: '5' })
    const { session, emit, refused } = started(limits)
    emit(buyLimit(BTC, 100, 1), sellLimit(BTC, 100, 1))
    expect(refused()).toEqual(['risk: dayLoss or drawdownPercent: the loss is unknown because BTC has no price yet'])
    // ETH has no market in USD, so it never has one; the first price of BTC is no gain, and no loss.
    account.setPrice(BTC, 1_000)
    emit(buyLimit(BTC, 100, 1))
    expect([refused().length, session.state]).toEqual([1, 'ACTIVE'])
    account.setPrice(BTC, 950)
    expect(session.state).toBe('REDUCING')
  })
})

describe('a drawdown', () => {
  const limits = { drawdownPercent: toDecimal('12.5') }

  it('is counted from the highest equity, and stays beyond the day', () => {
    const { session, states } = started(limits)
    account.setPrice(BTC, 700)
    account.setPrice(BTC, '500.01')
    expect(session.state).toBe('ACTIVE')
    account.setPrice(BTC, 500)
    account.time = DAY_MS
    account.setPrice(BTC, 9_000)
    expect(states).toEqual([
      { time: 0, state: 'REDUCING', why: 'the equity fell by 200 from 1600 USD, the limit is 12.5 percent' },
    ])
    session.setState('ACTIVE', 'by hand')
    expect(session.state).toBe('ACTIVE')
  })

  it('is watched in what is bought later', () => {
    account.setBalances({ USD: '1000', BTC: '0' })
    const { session } = started(limits)
    account.setBalances({ USD: '0', BTC: '10' })
    account.setPrice(BTC, 87)
    expect(session.state).toBe('REDUCING')
  })
})

describe('when a loss holds the session', () => {
  const limits = { dayLoss: toDecimal(50) }

  it('the open buys are cancelled and the sells are left; the strategy hears of the orders alone', () => {
    const { emit, heard, lines } = started(limits)
    emit(buyLimit(BTC, 90, 1))
    rest('1')
    emit(sellLimit(BTC, 110, 1))
    rest('2')
    emit(buyLimit(BTC, 80, 1))
    heard.length = 0
    account.setPrice(BTC, 50)
    expect(account.cancelled.map(({ orderId }) => orderId)).toEqual(['1'])
    expect(lines.at(-1)).toBe('{"t":0,"type":"cancel","ref":4,"orderId":"1","by":"risk"}')
    // One that was on its way comes to rest.
    const late = rest('3')
    expect(account.cancelled.map(({ orderId }) => orderId)).toEqual(['1', '3'])
    account.cancelled[1]?.reply({ type: 'acknowledged', order: { ...late, status: 'CANCELLED' } })
    expect(heard.map(({ intent }) => intent.type)).toEqual(['limit'])
  })

  it('a cancel that did not work is sent again after a second, until the order is gone', () => {
    const { emit } = started(limits)
    emit(buyLimit(BTC, 90, 1))
    const order = rest('1')
    account.setPrice(BTC, 50)
    account.cancelled[0]?.reply({ type: 'unknown', reason: 'time-out' })
    account.reportOrder({ ...order, status: 'PARTIALLY_FILLED' })
    expect(account.cancelled).toHaveLength(1)
    account.passTo(1_000)
    expect(account.cancelled).toHaveLength(2)
    account.cancelled[1]?.reply({ type: 'refused', refusal: { code: 'ORDER_NOT_CANCELLABLE', message: 'filled' } })
    account.reportOrder({ ...order, status: 'FILLED' })
    account.passTo(10_000)
    expect(account.cancelled).toHaveLength(2)
  })

  it('nothing is cancelled any more when the strategy is over', () => {
    const { emit, session } = started(limits)
    emit(buyLimit(BTC, 90, 1))
    rest('1')
    session.stopStrategy()
    account.setPrice(BTC, 50)
    expect(account.cancelled).toEqual([])
  })
})
