/**
 * The crowd's count of its own queue, held against the book after every command.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CROWD } from '../../../src/domain/command.ts'
import { SIDES } from '../../../src/domain/order.ts'
import { liquidity } from '../../../src/simulation/liquidity/liquidity-models.ts'
import { BTC, MarketStage } from '../rig/market-stage.ts'
import { runs } from '../../property/property.ts'

const ACCOUNTS = ['A', 'B'] as const
const PRICES = { min: 97, max: 103 }

const corners = { queued: 0, 'several of the crowd at a price': 0, 'several of ours behind one': 0, 'two accounts': 0 }

/** What is wrong at any price of the book. */
function faults({ exchange, simulated }: MarketStage): readonly string[] {
  const found: string[] = []
  for (const side of SIDES) {
    for (let price = PRICES.min - 5; price <= PRICES.max + 5; price += 1) {
      const resting = exchange.restingAt(BTC, side, price)
      const queued = resting.filter(({ account }) => account === CROWD)
      const lots = queued.reduce((sum, { qty }) => sum + qty, 0)
      const counted = simulated.crowd(BTC).queuedAt(side, price)
      if (counted !== lots) found.push(`${side} at ${price}: counts ${counted}, the book has ${lots}`)
      if (resting.at(-1)?.account === CROWD) found.push(`${side} at ${price}: the crowd is behind the last of ours`)
      if (lots === 0) continue
      corners.queued += 1
      if (queued.length > 1) corners['several of the crowd at a price'] += 1
      if (resting.length > queued.length + 1) corners['several of ours behind one'] += 1
      if (new Set(resting.map(({ account }) => account)).size > 2) corners['two accounts'] += 1
    }
  }
  return found
}

it('the crowd rests only ahead of ours, and knows what', () => {
  const side = fc.constantFrom(...SIDES)
  const account = fc.constantFrom(...ACCOUNTS)
  const price = fc.integer(PRICES)
  const qty = fc.integer({ min: 1, max: 8 })
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('limit' as const), account, side, price, qty }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), side, price, qty }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), account, index: fc.nat(8) }) },
    fc.record({ do: fc.constant('market' as const), account, side, qty }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('tape' as const, 'touch' as const, 'through' as const),
      fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
      (name, steps) => {
        const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }
        const model = liquidity(name).create
        const stage = new MarketStage({
          model: () => model({ symbol: BTC, spread: undefined, terms }),
        })
        for (const each of ACCOUNTS) {
          stage.credit(each, 'USD', 1_000_000n)
          stage.credit(each, 'BTC', 1_000n)
        }
        stage.record(0, 100, 4, 'sell')
        for (const [index, act] of steps.entries()) {
          if (act.do === 'limit') stage.limit(act.account, act.side, act.price, act.qty)
          else if (act.do === 'market') stage.market(act.account, act.side, act.qty)
          else if (act.do === 'record') stage.record(index, act.price, act.qty, act.side === 'BUY' ? 'buy' : 'sell')
          else {
            const order = stage.exchange.openOrders(act.account)[act.index]
            if (order !== undefined) stage.execute({ type: 'cancel', account: act.account, orderId: order.id })
          }
          expect(faults(stage)).toEqual([])
        }
      },
    ),
    { numRuns: runs(40) },
  )
  for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
})
