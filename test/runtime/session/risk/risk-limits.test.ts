/**
 * The limits of one order: what each refuses, in its own words, and what it lets pass.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { toDecimal } from '../../../../src/domain/decimal.ts'
import type { RiskLimits } from '../../../../src/runtime/settings/risk-limits.ts'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, sellLimit, sellMarket } from '../../../../src/strategy/orders.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { HeldAccount, riskSession, type RiskSession } from '../../rig/risk-session.ts'

const BTC = 'BTC_USD'
const SMALLEST = '0.000000000001'

let account: HeldAccount
beforeEach(() => {
  account = new HeldAccount([
    market(BTC, { pricePrecision: 2, qtyPrecision: 12 }),
    market('BTC_EUR', { pricePrecision: 2, qtyPrecision: 12 }),
  ])
  account.setBalances({ USD: '1000000', BTC: '0' })
})

function started(limits: Partial<RiskLimits>): RiskSession {
  const run = riskSession(account, limits)
  run.session.start()
  return run
}

const decimals = (limits: Readonly<Record<string, string>>): Partial<RiskLimits> =>
  Object.fromEntries(Object.entries(limits).map(([name, text]) => [name, toDecimal(text)]))

describe('an order', () => {
  it.each`
    limits                     | intent                                         | refusal
    ${{ maxOrder: '100' }}     | ${buyLimit(BTC, 100, 1)}                       | ${null}
    ${{ maxOrder: '100' }}     | ${buyLimit(BTC, 100, `1${SMALLEST.slice(1)}`)} | ${'risk: maxOrder: the order is worth 100.0000000001 USD, the limit is 100'}
    ${{ maxOrder: '100' }}     | ${buyLimit(BTC, 50, 2)}                        | ${null}
    ${{ maxOrder: '100' }}     | ${buyLimit(BTC, 101, 1)}                       | ${'risk: maxOrder: the order is worth 101 USD, the limit is 100'}
    ${{ maxOrder: '100' }}     | ${sellLimit(BTC, 1, 2)}                        | ${'risk: maxOrder: the order is worth 200 USD, the limit is 100'}
    ${{ maxOrder: '100' }}     | ${sellLimit(BTC, 101, 1)}                      | ${'risk: maxOrder: the order is worth 101 USD, the limit is 100'}
    ${{ maxOrder: '100' }}     | ${buyMarket(BTC, 1)}                           | ${null}
    ${{ maxOrder: '100' }}     | ${sellMarket(BTC, '1.01')}                     | ${'risk: maxOrder: the order is worth 101 USD, the limit is 100'}
    ${{ collarPercent: '10' }} | ${buyLimit(BTC, '110', 1)}                     | ${null}
    ${{ collarPercent: '10' }} | ${buyLimit(BTC, '110.01', 1)}                  | ${'risk: collarPercent: a buy at 110.01 is more than 10 percent beyond the last trade at 100'}
    ${{ collarPercent: '10' }} | ${buyLimit(BTC, '0.01', 1)}                    | ${null}
    ${{ collarPercent: '10' }} | ${sellLimit(BTC, '90', 1)}                     | ${null}
    ${{ collarPercent: '10' }} | ${sellLimit(BTC, '89.99', 1)}                  | ${'risk: collarPercent: a sell at 89.99 is more than 10 percent beyond the last trade at 100'}
    ${{ collarPercent: '10' }} | ${sellLimit(BTC, '900000', 1)}                 | ${null}
    ${{ collarPercent: '10' }} | ${buyMarket(BTC, 1)}                           | ${null}
    ${{ maxPosition: '100' }}  | ${buyMarket(BTC, 1)}                           | ${null}
    ${{ maxPosition: '100' }}  | ${buyLimit(BTC, 1, 2)}                         | ${'risk: maxPosition: 0 BTC held plus 2 in buys, including this order, are worth 200 USD, the limit is 100'}
    ${{ maxPosition: '100' }}  | ${sellMarket(BTC, 1000)}                       | ${null}
  `(
    'with $limits and a last trade at 100: $intent.side $intent.qty at $intent.price is refused with $refusal',
    (row) => {
      account.setPrice(BTC, 100)
      const { emit, heard, refused, lines } = started(decimals(row.limits as Record<string, string>))
      emit(row.intent as Intent)
      expect([account.placed.length, refused()]).toEqual(row.refusal === null ? [1, []] : [0, [row.refusal]])
      if (row.refusal === null) return
      expect(heard).toMatchObject([{ intent: row.intent, by: 'risk', refusal: { code: 'ORDER_REJECTED' } }])
      expect(lines.map((line) => (JSON.parse(line) as { type: string; by?: string }).type)).toEqual([
        'place',
        'refused',
      ])
    },
  )

  it.each`
    limits                     | intent                   | isRefused | why
    ${{ maxOrder: '100' }}     | ${buyMarket(BTC, 1)}     | ${true}   | ${'nobody knows its worth'}
    ${{ maxPosition: '100' }}  | ${buyMarket(BTC, 1)}     | ${true}   | ${'nobody knows its worth'}
    ${{ maxPosition: '100' }}  | ${sellMarket(BTC, 1)}    | ${false}  | ${'it is against no position'}
    ${{ maxOrder: '100' }}     | ${buyLimit(BTC, 100, 1)} | ${false}  | ${'worth its price'}
    ${{ maxPosition: '100' }}  | ${buyLimit(BTC, 101, 1)} | ${true}   | ${'worth its price'}
    ${{ collarPercent: '10' }} | ${buyLimit(BTC, 999, 1)} | ${false}  | ${'there is nothing to hold it against'}
    ${{}}                      | ${buyMarket(BTC, 1)}     | ${false}  | ${'no limit needs a price'}
  `('before the first trade with $limits: $intent.type $intent.side refused $isRefused, $why', (row) => {
    const { emit, refused } = started(decimals(row.limits as Record<string, string>))
    emit(row.intent as Intent)
    expect(refused()).toHaveLength(row.isRefused === true ? 1 : 0)
  })

  it('beyond the pace is refused until the oldest is a minute old; a refused one does not count', () => {
    const { emit, refused } = started({ ordersPerMinute: 2 })
    emit(buyMarket(BTC, 1), buyMarket(BTC, 1), buyMarket(BTC, 1))
    account.passTo(59_999)
    emit(buyMarket(BTC, 1), cancel('7'))
    const message = 'risk: ordersPerMinute: 2 orders within 60 seconds, the limit is 2'
    expect([account.placed.length, account.cancelled.length, refused()]).toEqual([2, 1, [message, message]])
    account.passTo(60_000)
    emit(buyMarket(BTC, 1))
    expect(account.placed).toHaveLength(3)
  })

  it('is not held for longer by a clock that is set back, nor let go by it', () => {
    account.time = 1_000_000
    const { emit, refused } = started({ ordersPerMinute: 1 })
    emit(buyMarket(BTC, 1))
    account.time = 0
    emit(buyMarket(BTC, 1))
    expect(refused()).toHaveLength(1)
    account.passTo(60_000)
    emit(buyMarket(BTC, 1))
    expect(account.placed).toHaveLength(2)
  })
})

describe('a position', () => {
  beforeEach(() => {
    account.setPrice(BTC, 1)
    account.setPrice('BTC_EUR', 1)
  })

  const limits = { maxPosition: toDecimal(10) }

  it('is not crossed by many small orders of one moment', () => {
    const { emit, refused } = started(limits)
    emit(...Array.from({ length: 25 }, () => buyLimit(BTC, 1, 1)))
    expect([account.placed.length, refused().length]).toEqual([10, 15])
  })

  it('counts steps of the last digit', () => {
    const { emit } = started({ maxPosition: toDecimal('0.000000000003') })
    emit(...Array.from({ length: 5 }, () => buyLimit(BTC, 1, SMALLEST)))
    expect(account.placed).toHaveLength(3)
  })

  it('counts the buys of every market of its base asset', () => {
    const { emit } = started(limits)
    emit(buyLimit('BTC_EUR', 1, 6), buyLimit(BTC, 1, 5), buyLimit(BTC, 1, 4))
    expect(account.placed.map(({ request }) => request.qty)).toEqual([6e12, 4e12])
  })

  it('counts an order of which no one knows, until it is assumed absent; and from when it is found after all', () => {
    const { emit, refused } = started(limits)
    emit(buyLimit(BTC, 1, 6))
    const [lost] = account.placed
    if (lost === undefined) throw new Error('nothing was placed')
    lost.reply({ type: 'unknown', reason: 'time-out' })
    emit(buyLimit(BTC, 1, 5))
    expect(refused()).toHaveLength(1)
    account.updates$.push({
      type: 'settled',
      reference: lost.reference,
      settlement: { type: 'ambiguous', reason: 'two' },
    })
    emit(buyLimit(BTC, 1, 5))
    expect(refused()).toHaveLength(2)
    account.updates$.push({ type: 'settled', reference: lost.reference, settlement: { type: 'absent' } })
    emit(buyLimit(BTC, 1, 4))
    expect(refused()).toHaveLength(2)
    const order = account.orderOf(lost, '9', 'PARTIALLY_FILLED', 2)
    account.updates$.push({ type: 'settled', reference: lost.reference, settlement: { type: 'adopted', order } })
    account.reportFill(order, 2)
    emit(buyLimit(BTC, 1, SMALLEST))
    expect(refused().at(-1)).toMatch(/^risk: maxPosition: 2 BTC held plus 8\.000000000001 in buys/)
  })

  it('counts an order whose cancel is on its way, or has an unknown outcome, until it is reported as gone', () => {
    const { emit, refused } = started(limits)
    emit(buyLimit(BTC, 1, 10))
    const [placed] = account.placed
    if (placed === undefined) throw new Error('nothing was placed')
    const open = account.orderOf(placed, '9', 'OPEN')
    placed.reply({ type: 'acknowledged', order: open })
    account.reportOrder(open)
    emit(cancel('9'), buyLimit(BTC, 1, 1))
    account.cancelled[0]?.reply({ type: 'unknown', reason: 'time-out' })
    emit(buyLimit(BTC, 1, 1))
    expect(refused()).toHaveLength(2)
    // Four were filled before the cancel, and are reported behind it.
    const gone = account.orderOf(placed, '9', 'CANCELLED', 4)
    account.reportOrder(gone)
    emit(buyLimit(BTC, 1, '6.1'))
    account.reportFill(gone, 4)
    account.reportOrder(gone)
    emit(buyLimit(BTC, 1, '6.1'))
    account.setBalances({ USD: '1', BTC: '4' })
    emit(buyLimit(BTC, 1, '6.1'))
    expect(refused()).toHaveLength(5)
    emit(buyLimit(BTC, 1, 6))
    expect(account.placed).toHaveLength(2)
  })

  it('counts what an order of an earlier session has left', () => {
    const placement = {
      request: { symbol: BTC, side: 'BUY', type: 'LIMIT', price: 100, qty: 8e12 },
      reference: 1,
    } as const
    account.setBalances({ USD: '1', BTC: '3' })
    account.open.push({ ...account.orderOf(placement, '5', 'PARTIALLY_FILLED', 3), tag: 'old' })
    const { emit, refused, lines } = started(limits)
    expect(lines).toEqual([
      '{"t":0,"type":"taken-over","order":{"id":"5","symbol":"BTC_USD","side":"BUY","type":"LIMIT","status":"PARTIALLY_FILLED","price":"1","qty":"8","filledQty":"3","createdAt":0},"tag":"old"}',
    ])
    emit(buyLimit(BTC, 1, 3), buyLimit(BTC, 1, 2))
    expect([refused().length, account.placed.length]).toEqual([1, 1])
  })

  it('is looked at again when an order leaves that had to wait', () => {
    const run = riskSession(account, limits, {
      limits: { general: 600, mutations: 1, windowSeconds: 60 },
      onLimit: 'wait',
    })
    run.session.start()
    run.emit(buyLimit(BTC, 1, 1), buyLimit(BTC, 1, 9), buyLimit(BTC, 1, SMALLEST))
    expect([account.placed.length, run.session.waiting, run.refused().length]).toEqual([1, 1, 1])
    account.setPrice(BTC, '1.01')
    account.passTo(60_000)
    expect([account.placed.length, run.session.waiting, run.refused().length]).toEqual([1, 0, 2])
  })
})

it('an order can be refused by the adapter at the last moment, and is forgotten then', () => {
  account.setPrice(BTC, 1)
  const { emit, refused, session } = started({ maxPosition: toDecimal(10) })
  emit(buyLimit(BTC, 1, 10))
  const [placed] = account.placed
  expect(placed?.lastLook?.()).toBeUndefined()
  session.setState('HALTED', 'by hand')
  const refusal = placed?.lastLook?.()
  expect(refusal).toEqual({ code: 'ORDER_REJECTED', message: 'risk: the session is HALTED: by hand' })
  if (refusal !== undefined) placed?.reply({ type: 'refused', refusal, by: 'risk' })
  session.setState('ACTIVE', 'by hand')
  emit(buyLimit(BTC, 1, 10))
  expect([account.placed.length, refused().length]).toEqual([2, 1])
})
