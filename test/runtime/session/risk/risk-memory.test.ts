/**
 * Limits with a memory: a session goes on counting where the one before it ended, however that ended.
 */
import { describe, expect, it } from 'vitest'
import { decimalOf, toDecimal } from '../../../../src/domain/decimal.ts'
import { DAY_MS } from '../../../../src/domain/time.ts'
import type { RiskStore } from '../../../../src/runtime/session/risk/risk-store.ts'
import type { RiskLimits } from '../../../../src/runtime/settings/risk-limits.ts'
import type { PersistedRisk } from '../../../../src/store/state/live/persisted-risk.ts'
import { buyLimit, buyMarket } from '../../../../src/strategy/orders.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { HeldAccount, riskSession, type RiskSession } from '../../rig/risk-session.ts'

const BTC = 'BTC_USD'
const NOON = 100.5 * DAY_MS
const DAY_LOSS = { dayLoss: toDecimal(50) }
const DRAWDOWN = { drawdownPercent: toDecimal(10) }

/** A file as a process leaves it that ends without a word: what `save` has taken, and nothing else. */
class Disk implements RiskStore {
  kept: PersistedRisk | undefined
  sent: readonly number[] = []
  saves = 0
  readonly load = (): PersistedRisk | undefined => this.kept
  readonly sentSince = (time: number): readonly number[] => this.sent.filter((each) => each > time)
  save(risk: PersistedRisk): void {
    this.saves += 1
    this.kept = JSON.parse(JSON.stringify(risk)) as PersistedRisk
  }
}

interface Start {
  readonly disk: Disk
  readonly time: number
  readonly price?: number | undefined
  readonly balances?: Readonly<Record<string, string>>
}

interface Started extends RiskSession {
  readonly logs: readonly string[]
}

/** An account of 1000 USD and one BTC, at 100 USD each. */
function started(limits: Partial<RiskLimits>, { disk, time, price = 100, balances }: Start): Started {
  const account = new HeldAccount([market(BTC), market('ETH_EUR')])
  account.time = time
  account.setBalances(balances ?? { USD: '1000', BTC: '1' })
  account.setPrice(BTC, price)
  const logs: string[] = []
  const stage = riskSession(account, limits, { riskStore: disk, log: (_, text) => logs.push(text) })
  stage.session.start()
  return { ...stage, logs }
}

const isBought = (stage: RiskSession): boolean => {
  const before = stage.account.placed.length
  stage.emit(buyMarket(BTC, 1))
  return stage.account.placed.length > before
}

describe('a state that a loss has set', () => {
  it('is on the disk before anyone hears of it, and holds after a restart without another loss', () => {
    const disk = new Disk()
    const first = started(DAY_LOSS, { disk, time: NOON })
    first.session.state$.subscribe(() => expect(disk.kept?.holds).toHaveLength(1))
    first.account.setPrice(BTC, 50)
    expect(first.states).toHaveLength(1)
    const second = started(DAY_LOSS, { disk, time: NOON + 1_000, price: 99 })
    expect(isBought(second)).toBe(false)
    expect(second.states).toEqual([
      { time: NOON + 1_000, state: 'REDUCING', why: 'the loss of the day is 50 USD, the limit is 50' },
    ])
    expect(second.logs).toEqual([
      'restored: day started at 1100 USD, peak 1100 USD, state REDUCING since 1970-04-11T12:00:00.000Z because the loss of the day is ' +
        '50 USD, the limit is 50, until the next UTC day, or until an operator resumes it',
    ])
  })

  it.each`
    limits                           | why
    ${{}}                            | ${'no limit is given any more'}
    ${{ dayLoss: toDecimal(5_000) }} | ${'the limit is another'}
    ${DRAWDOWN}                      | ${'another kind of limit is given'}
  `('holds when $why', ({ limits }) => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).account.setPrice(BTC, 50)
    const second = started(limits as Partial<RiskLimits>, { disk, time: NOON + 1_000 })
    expect(isBought(second)).toBe(false)
    // The day turns even where no loss is limited.
    second.account.time = NOON + DAY_MS
    second.account.setPrice(BTC, 100)
    expect(isBought(second)).toBe(true)
  })

  it('cancels after a restart the open buys that the one before could not', () => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).account.setPrice(BTC, 50)
    const account = new HeldAccount([market(BTC)])
    account.time = NOON + 1_000
    account.setBalances({ USD: '1000', BTC: '1' })
    account.open.push({
      id: 'left',
      symbol: BTC,
      side: 'BUY',
      type: 'LIMIT',
      status: 'OPEN',
      createdAt: 1,
      price: toDecimal(40),
      qty: decimalOf(100, 2),
      filledQty: toDecimal(0),
    })
    riskSession(account, DAY_LOSS, { riskStore: disk }).session.start()
    expect(account.cancelled.map(({ orderId }) => orderId)).toEqual(['left'])
  })

  it('of the day ends with the day, also while no session runs', () => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).account.setPrice(BTC, 50)
    expect(isBought(started(DAY_LOSS, { disk, time: NOON + DAY_MS / 2 - 1 }))).toBe(false)
    const next = started(DAY_LOSS, { disk, time: NOON + DAY_MS / 2, price: 40 })
    expect(isBought(next)).toBe(true)
    expect(next.logs).toEqual(['restored: a new day began, peak 1100 USD'])
  })

  it('of the peak stays, and so does the peak', () => {
    const disk = new Disk()
    started(DRAWDOWN, { disk, time: NOON, price: 300 })
    const later = started(DRAWDOWN, { disk, time: NOON + 3 * DAY_MS, price: 171 })
    expect(isBought(later)).toBe(true)
    later.account.setPrice(BTC, 170)
    expect(isBought(later)).toBe(false)
    expect(isBought(started(DRAWDOWN, { disk, time: NOON + 9 * DAY_MS, price: 300 }))).toBe(false)
  })

  it('is not ended by a clock that was set back', () => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).account.setPrice(BTC, 50)
    expect(isBought(started(DAY_LOSS, { disk, time: NOON - 2 * DAY_MS }))).toBe(false)
  })

  it('is ended for good by an operator, and losses are counted again', () => {
    const disk = new Disk()
    const first = started(DAY_LOSS, { disk, time: NOON })
    first.account.setPrice(BTC, 50)
    first.session.setState('ACTIVE', 'by an operator')
    expect(disk.kept?.holds).toEqual([])
    first.account.passTo(NOON + 1_000)
    const second = started(DAY_LOSS, { disk, time: NOON + 1_000, price: 50 })
    expect(second.logs).toEqual(['restored: day started at 1050 USD, peak 1050 USD'])
    expect(isBought(second)).toBe(true)
  })
})

describe('the equities that losses are counted from', () => {
  it('are those of the first session of the day, with what was lost in between', () => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).account.setPrice(BTC, 80)
    expect(isBought(started(DAY_LOSS, { disk, time: NOON + 1_000, price: 51 }))).toBe(true)
    const third = started(DAY_LOSS, { disk, time: NOON + 2_000, price: 50 })
    expect(isBought(third)).toBe(false)
    expect(third.states[0]?.why).toBe('the loss of the day is 50 USD, the limit is 50')
  })

  it('keep a peak of each second', () => {
    const disk = new Disk()
    const { account } = started(DRAWDOWN, { disk, time: NOON })
    for (let price = 101; price <= 300; price += 1) account.setPrice(BTC, price)
    expect(disk.saves).toBe(1)
    account.passTo(NOON + 1_000)
    expect(disk.saves).toBe(2)
    // 1300 USD less 130.
    expect(isBought(started(DRAWDOWN, { disk, time: NOON + 2_000, price: 171 }))).toBe(true)
    expect(isBought(started(DRAWDOWN, { disk, time: NOON + 3_000, price: 170 }))).toBe(false)
  })

  it.each`
    balances                     | price  | isLimited | why
    ${{ USD: '6000', BTC: '1' }} | ${51}  | ${false}  | ${'a deposit is no profit'}
    ${{ USD: '6000', BTC: '1' }} | ${50}  | ${true}   | ${'a deposit cannot be lost before the limit'}
    ${{ USD: '1000', BTC: '9' }} | ${51}  | ${false}  | ${'a deposit of another asset counts at its price now'}
    ${{ USD: '951', BTC: '1' }}  | ${100} | ${false}  | ${'a small withdrawal'}
    ${{ USD: '950', BTC: '1' }}  | ${100} | ${true}   | ${'a withdrawal looks like a loss'}
    ${{ USD: '1100' }}           | ${100} | ${false}  | ${'what was sold in between is neither'}
    ${{ USD: '1050' }}           | ${100} | ${true}   | ${'what was sold in between at a loss counts'}
    ${{ USD: '1200' }}           | ${120} | ${false}  | ${'what was sold in between at a profit'}
  `('$why', ({ balances, price, isLimited }) => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON })
    const second = started(DAY_LOSS, {
      disk,
      time: NOON + 1_000,
      price: price as number,
      balances: balances as Record<string, string>,
    })
    expect(second.session.state).toBe(isLimited === true ? 'REDUCING' : 'ACTIVE')
  })

  it('outlive a session that limits no loss', () => {
    const disk = new Disk()
    started(DAY_LOSS, { disk, time: NOON }).session.stop()
    const between = started({}, { disk, time: NOON + 1_000, price: 40 })
    between.session.setState('REDUCING', 'by an operator')
    between.session.stop()
    expect(started(DAY_LOSS, { disk, time: NOON + 2_000, price: 50 }).session.state).toBe('REDUCING')
  })
})

it('orders of the last minute count after a restart', () => {
  const disk = new Disk()
  disk.sent = [NOON - 70_000, NOON - 50_000, NOON - 10_000]
  const stage = started({ ordersPerMinute: 3 }, { disk, time: NOON })
  stage.emit(buyLimit(BTC, 90, 1), buyLimit(BTC, 91, 1))
  expect(stage.account.placed).toHaveLength(1)
  expect(stage.refused()).toEqual(['risk: ordersPerMinute: 3 orders within 60 seconds, the limit is 3'])
})
