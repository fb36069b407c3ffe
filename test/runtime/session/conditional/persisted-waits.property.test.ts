/**
 * Brackets and stops in lives that end between any two effects, while the strategy sells as well: what they bought is
 * sold once, no order offers more than is held, and every request leaves behind the record of its group.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buyLimit, buyMarket, sellLimit } from '../../../../src/strategy/orders.ts'
import { bracket, oco, stopSell, takeProfit, trailingStop } from '../../../../src/strategy/waiting.ts'
import type { LaterIntent } from '../../../../src/runtime/session/conditional/conditional-orders.ts'
import { MortalWaits } from './rig/mortal-waits.ts'
import { runs, needed } from '../../../property/property.ts'

const BTC = 'BTC_USD'

const lots = fc.integer({ min: 1, max: 5 })
const price = fc.integer({ min: 95, max: 105 })

type Step = (world: MortalWaits) => void

const openOrder = (world: MortalWaits, index: number): MortalWaits['served'][number] | undefined => {
  const open = world.served.filter(({ isAnswered, isOver }) => isAnswered && !isOver)
  return open[index % Math.max(1, open.length)]
}

const step: fc.Arbitrary<Step> = fc.oneof(
  price.map((to): Step => (world) => {
    world.price = to
    world.act((life) => {
      life.reportPrice()
    })
  }),
  lots.map((most): Step => (world) => {
    world.act((life) => {
      life.answer(most)
    })
  }),
  fc.constant<Step>((world) => {
    world.act((life) => {
      life.answer(0, 'RATE_LIMITED')
    })
  }),
  fc.constantFrom('ORDER_REJECTED' as const, 'absent' as const).map((refusal): Step => (world) => {
    world.act((life) => {
      life.answer(0, refusal)
    })
  }),
  fc.tuple(fc.nat(3), lots).map(([index, most]): Step => (world) => {
    world.act((life) => {
      const order = openOrder(world, index)
      if (order !== undefined) life.fill(order, most)
    })
  }),
  fc.boolean().map((isRefused): Step => (world) => {
    world.act((life) => {
      life.cancelled(isRefused)
    })
  }),
  fc.integer({ min: 1, max: 5_000 }).map((ms): Step => (world) => {
    world.time += ms
    world.act((life) => {
      life.passTime()
    })
  }),
  {
    weight: 3,
    arbitrary: fc.nat(6).map((moments): Step => (world) => {
      world.dieIn(moments)
    }),
  },
)

/** The strategy sells of its own accord as well. */
const stepOrSell: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: step },
  {
    weight: 1,
    arbitrary: lots.map((most): Step => (world) => {
      world.act((life) => {
        life.sell(most)
      })
    }),
  },
)

const entry = fc.oneof(
  lots.map((qty) => buyMarket(BTC, qty)),
  fc.tuple(price, lots).map(([at, qty]) => buyLimit(BTC, at, qty)),
  fc.tuple(price, lots).map(([at, qty]) => buyLimit(BTC, at, qty, { expires: 8_000 })),
)
const exits = fc.oneof(
  fc.constant({ stop: 98, target: 103 }),
  fc.constant({ stop: 98 }),
  fc.constant({ target: 103 }),
  fc.constant({ trail: { distance: 2 }, target: 104 }),
  fc.constant({ trail: { percent: '1.5' } }),
)
const brackets: fc.Arbitrary<LaterIntent> = fc.tuple(entry, exits).map(([way, out]) => bracket(way, out))

/** The market goes through every price, everything is answered, nothing dies any more. */
function fall(world: MortalWaits, to: number): void {
  world.price = to
  for (let round = 0; round < 30; round += 1) {
    world.time += 20_000
    world.act((life) => {
      life.passTime()
    })
    world.act((life) => {
      life.reportPrice()
    })
    world.act((life) => {
      life.cancelled(false)
    })
    world.act((life) => {
      life.answer(1_000)
    })
    const rising = to > 100
    for (const order of world.served.filter(({ intent }) => (intent.side === 'SELL') === rising)) {
      world.act((life) => {
        life.fill(order, 1_000)
      })
    }
  }
}

it('what a bracket bought is sold once, wherever its lives end', () => {
  const reached = { deaths: 0, sold: 0, unsold: 0, twice: 0, plain: 0, absent: 0 }
  fc.assert(
    fc.property(brackets, fc.array(stepOrSell, { minLength: 5, maxLength: 40, size: 'max' }), (intent, steps) => {
      const world = new MortalWaits()
      world.act((life) => {
        life.take(intent)
      })
      for (const act of steps) {
        act(world)
        expect(world.sold + world.soldPlainly).toBeLessThanOrEqual(world.bought)
        if (world.bought > world.sold) reached.unsold += 1
      }
      for (const to of [1, 1_000, 1, 1_000]) fall(world, to)
      expect(world.faults).toEqual([])
      expect([world.bought, world.kept.length]).toEqual([world.sold + world.soldPlainly, 0])
      if (world.soldPlainly > 0) reached.plain += 1
      if (world.served.some(({ isAbsent }) => isAbsent)) reached.absent += 1
      reached.deaths += world.deaths
      if (world.deaths > 2 && world.sold > 0) reached.twice += 1
      if (world.sold > 0) reached.sold += 1
    }),
    { numRuns: runs(2_000) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(needed(100))
})

const alone: fc.Arbitrary<LaterIntent> = fc.oneof(
  lots.map((qty) => stopSell(BTC, 98, qty)),
  lots.map((qty) => stopSell(BTC, 98, qty, { limit: 97 })),
  lots.map((qty) => takeProfit(BTC, 102, qty)),
  lots.map((qty) => trailingStop(BTC, { distance: 2 }, qty)),
  lots.map((qty) => oco(sellLimit(BTC, 103, qty), stopSell(BTC, 98, qty))),
  lots.map((qty) => oco(takeProfit(BTC, 103, qty), trailingStop(BTC, { percent: 2 }, qty))),
)

it('what waits alone or in a group sells no more than it said, and never waits for nothing', () => {
  const reached = { deaths: 0, sold: 0, all: 0 }
  fc.assert(
    fc.property(alone, fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (intent, steps) => {
      const most = Number(intent.type === 'oco' ? intent.orders[0]?.qty : intent.type === 'bracket' ? 0 : intent.qty)
      const world = new MortalWaits(most)
      world.act((life) => {
        life.take(intent)
      })
      const isTaken = world.kept.length > 0
      for (const act of steps) {
        act(world)
        expect(world.sold).toBeLessThanOrEqual(most)
      }
      for (const to of [1, 1_000]) {
        fall(world, to)
      }
      expect(world.faults).toEqual([])
      expect(world.kept).toEqual([])
      reached.deaths += world.deaths
      if (world.sold > 0) reached.sold += 1
      if (isTaken && world.sold === most) reached.all += 1
    }),
    { numRuns: runs(2_000) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(needed(100))
})
