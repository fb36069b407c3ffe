/**
 * Random sessions under random limits, beside a naive twin that counts from scratch what every order could still do.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalOf, type Decimal } from '../../../../src/domain/decimal.ts'
import type { SessionState } from '../../../../src/runtime/session-state.ts'
import { buyLimit, sellLimit } from '../../../../src/strategy/orders.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { HeldAccount, riskSession, type AskedPlacement } from '../../rig/risk-session.ts'
import { runs } from '../../../property/property.ts'

const BTC = 'BTC_USD'
/** Steps of the smallest quantity. */
const LOT = 12

/** What became of an order, as the exchange knows it; its `reported` is what of its fills the session was reported. */
interface TwinOrder {
  readonly placed: AskedPlacement
  readonly id: string
  readonly isBuy: boolean
  readonly qty: number
  filled: number
  reported: number
  state: 'sent' | 'unknown' | 'open' | 'over' | 'never'
}

interface World {
  readonly account: HeldAccount
  readonly orders: TwinOrder[]
  readonly news: (() => void)[]
  held: number
  price: number
}

const left = ({ state, qty, filled }: TwinOrder): number => (state === 'over' || state === 'never' ? 0 : qty - filled)

/** If all of a side were filled that can be, by what the exchange knows. */
const couldFill = (world: World, isBuy: boolean): number =>
  world.orders.filter((order) => order.isBuy === isBuy).reduce((sum, order) => sum + left(order), 0)

const lots = (count: number): Decimal => decimalOf(count, LOT)

function answer(world: World, pick: number, how: 'open' | 'filled' | 'refused' | 'unknown'): void {
  const order = pickOf(world, pick, 'sent')
  if (order === undefined) return
  const { placed, id } = order
  if (how === 'unknown') {
    order.state = 'unknown'
    placed.reply({ type: 'unknown', reason: 'time-out' })
  } else if (how === 'refused') {
    order.state = 'never'
    placed.reply({ type: 'refused', refusal: { code: 'INSUFFICIENT_BALANCE', message: 'no' } })
  } else {
    order.state = 'open'
    placed.reply({ type: 'acknowledged', order: world.account.orderOf(placed, id, 'OPEN') })
    if (how === 'filled') fill(world, order, order.qty)
  }
}

function settle(world: World, pick: number, how: 'adopted' | 'absent' | 'ambiguous'): void {
  const order = pickOf(world, pick, 'unknown')
  if (order === undefined) return
  const { placed, id } = order
  const { reference } = placed
  if (how === 'absent') order.state = 'never'
  if (how === 'adopted') order.state = 'open'
  const settlement =
    how === 'adopted'
      ? ({ type: how, order: world.account.orderOf(placed, id, 'OPEN') } as const)
      : how === 'absent'
        ? ({ type: how } as const)
        : ({ type: how, reason: 'two' } as const)
  world.account.updates$.push({ type: 'settled', reference, settlement })
}

/** The exchange fills it now; the session hears of it when the news are reported, balances last. */
function fill(world: World, order: TwinOrder, most: number): void {
  const qty = Math.min(most, order.qty - order.filled, order.isBuy ? Infinity : world.held)
  if (qty === 0) return
  order.filled += qty
  world.held += order.isBuy ? qty : -qty
  if (order.filled === order.qty) order.state = 'over'
  const [filled, held] = [order.filled, world.held]
  const status = filled === order.qty ? 'FILLED' : 'PARTIALLY_FILLED'
  const reported = world.account.orderOf(order.placed, order.id, status, lots(filled))
  world.news.push(
    () => world.account.reportOrder(reported),
    () => {
      order.reported += qty
      world.account.reportFill(reported, lots(qty))
    },
    () => world.account.reportOrder(reported),
    () => world.account.setBalances({ USD: '1', BTC: lots(held) }),
  )
}

function cancelOne(world: World, pick: number): void {
  const order = pickOf(world, pick, 'open')
  if (order === undefined) return
  order.state = 'over'
  const reported = world.account.orderOf(order.placed, order.id, 'CANCELLED', lots(order.filled))
  world.news.push(() => world.account.reportOrder(reported))
}

const pickOf = ({ orders }: World, pick: number, state: TwinOrder['state']): TwinOrder | undefined => {
  const all = orders.filter((order) => order.state === state)
  return all[pick % all.length]
}

const pick = fc.nat(20)
const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('order' as const),
      isBuy: fc.boolean(),
      qty: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('answer' as const),
      pick,
      how: fc.constantFrom('open', 'open', 'filled', 'refused', 'unknown'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('settle' as const),
      pick,
      how: fc.constantFrom('adopted', 'absent', 'ambiguous'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('fill' as const), pick, qty: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('cancel' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('news' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('price' as const), price: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('state' as const),
      state: fc.constantFrom<SessionState[]>('ACTIVE', 'ACTIVE', 'REDUCING', 'HALTED'),
    }),
  },
)

it('nothing that could be held is ever worth more than the limit when an order goes out, and nothing that could be allowed is refused', () => {
  const reached = {
    buy: 0,
    'buy beyond': 0,
    'reducing sell': 0,
    'reducing beyond': 0,
    halted: 0,
    unknown: 0,
    'news late': 0,
  }
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 5, maxLength: 60, size: 'max' }),
      fc.integer({ min: 2, max: 15 }),
      fc.integer({ min: 0, max: 6 }),
      (script, limit, held) => {
        const account = new HeldAccount([market(BTC, { pricePrecision: 0, qtyPrecision: LOT })])
        account.setBalances({ USD: '1', BTC: lots(held) })
        account.setPrice(BTC, 1)
        const world: World = { account, orders: [], news: [], held, price: 1 }
        const { session, emit, refused } = riskSession(account, { maxPosition: lots(limit) })
        session.start()
        for (const step of script) {
          if (step.what === 'answer') answer(world, step.pick, step.how)
          else if (step.what === 'settle') settle(world, step.pick, step.how)
          else if (step.what === 'cancel') cancelOne(world, step.pick)
          else if (step.what === 'news') for (const report of world.news.splice(0, step.count)) report()
          else if (step.what === 'state') session.setState(step.state, 'by hand')
          else if (step.what === 'fill') {
            const order = pickOf(world, step.pick, 'open')
            if (order !== undefined) fill(world, order, step.qty)
          } else if (step.what === 'price') {
            world.price = step.price
            account.setPrice(BTC, step.price)
          } else {
            const before = refused().length
            emit((step.isBuy ? buyLimit : sellLimit)(BTC, world.price, lots(step.qty)))
            const isOut = refused().length === before
            const placed = account.placed.at(-1)
            if (isOut && placed !== undefined) {
              const id = String(world.orders.length + 1)
              world.orders.push({ placed, id, isBuy: step.isBuy, qty: step.qty, filled: 0, reported: 0, state: 'sent' })
            }
            check(isOut, step.isBuy, step.qty)
          }
        }

        function check(isOut: boolean, isBuy: boolean, qty: number): void {
          // A cancel that was not reported leaves the order open to the session, so only what it lets out is a law then.
          const isKnown = world.news.length === 0
          if (!isKnown) reached['news late'] += 1
          if (world.orders.some(({ state }) => state === 'unknown')) reached.unknown += 1
          const [bought, sold] = [couldFill(world, true), couldFill(world, false)]
          if (session.state === 'HALTED') {
            expect(isOut).toBe(false)
            reached.halted += 1
          } else if (session.state === 'REDUCING') {
            if (isOut) {
              expect(isBuy).toBe(false)
              expect(sold).toBeLessThanOrEqual(world.held)
              reached['reducing sell'] += 1
            } else if (isKnown && !isBuy) {
              expect(sold + qty).toBeGreaterThan(world.held)
              reached['reducing beyond'] += 1
            }
          } else if (isBuy && isOut) {
            expect((world.held + bought) * world.price).toBeLessThanOrEqual(limit)
            reached.buy += 1
          } else if (isBuy && isKnown) {
            expect((world.held + bought + qty) * world.price).toBeGreaterThan(limit)
            reached['buy beyond'] += 1
          } else if (!isBuy) expect(isOut).toBe(true)
        }
      },
    ),
    { numRuns: runs(1_000) },
  )
  for (const [corner, count] of Object.entries(reached)) expect(count, corner).toBeGreaterThan(20)
})
