/**
 * What waits, taken up again by the next session: what happened meanwhile counts.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { buyLimit, buyMarket, sellLimit } from '../../../../src/strategy/orders.ts'
import { bracket, oco, stopSell, trailingStop } from '../../../../src/strategy/waiting.ts'
import { MortalWaits } from './rig/mortal-waits.ts'

const BTC = 'BTC_USD'

let world: MortalWaits
beforeEach(() => {
  world = new MortalWaits(5)
})

const take = (intent: Parameters<MortalWaits['life']['take']>[0]): void => {
  world.act((life) => {
    life.take(intent)
  })
}
const priceAt = (price: number): void => {
  world.price = price
  world.act((life) => {
    life.reportPrice()
  })
}
const answer = (most = 1_000): void => {
  world.act((life) => {
    life.answer(most)
  })
}
const sent = (): readonly string[] =>
  world.served.map(
    ({ intent, qty }) => `${intent.side} ${qty}${intent.type === 'limit' ? ` at ${String(intent.price)}` : ''}`,
  )

describe('after a restart', () => {
  it('a stop waits under its id, and the next one has another', () => {
    take(stopSell(BTC, 98, 5))
    world.dieIn(0)
    expect(world.life.waiting.list().map(({ id, price }) => `${id} at ${String(price)}`)).toEqual(['w1 at 98'])
    expect(world.journal).toEqual(['wait w1 stop', 'taken-up w1', 'kept w1 stop'])
    take(stopSell(BTC, 97, 5))
    expect(world.life.waiting.list().map(({ id }) => id)).toEqual(['w1', 'w2'])
  })

  it('a stop whose price was passed meanwhile acts at the first price', () => {
    take(stopSell(BTC, 98, 5))
    world.price = 90
    world.dieIn(0)
    expect(sent()).toEqual(['SELL 5'])
  })

  it('a trailing stop acts from where it was', () => {
    take(trailingStop(BTC, { distance: 3 }, 5))
    priceAt(110)
    world.price = 108
    world.dieIn(0)
    expect(sent()).toEqual([])
    priceAt(107)
    expect(sent()).toEqual(['SELL 5'])
  })

  it('what has run out meanwhile is given up before any price can trigger it', () => {
    take(stopSell(BTC, 98, 5, { expires: 1_000 }))
    world.time = 5_000
    world.price = 90
    world.dieIn(0)
    expect(sent()).toEqual([])
    expect(world.journal.at(-1)).toBe('over w1 expired')
    expect(world.kept).toEqual([])
  })

  it('an entry that was filled meanwhile has its stop and its target', () => {
    take(bracket(buyLimit(BTC, 99, 4), { stop: 95, target: 104 }))
    answer()
    const [entry] = world.served
    if (entry !== undefined) entry.filled = 3
    world.dieIn(0)
    expect(world.life.waiting.list().map(({ id, qty }) => `${id} ${String(qty)}`)).toEqual(['w2 3'])
    expect(sent()).toEqual(['BUY 4 at 99', 'SELL 3 at 104'])
  })

  it('a target that was refused before is asked for again, for as much as is open', () => {
    take(bracket(buyMarket(BTC, 4), { target: 104 }))
    answer()
    world.act((life) => {
      life.answer(0, 'RATE_LIMITED')
    })
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104'])
    world.dieIn(0)
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104', 'SELL 4 at 104'])
    world.act((life) => {
      life.answer(0, 'RATE_LIMITED')
    })
    priceAt(101)
    expect(sent().slice(3)).toEqual(['SELL 4 at 104'])
  })

  it('a target that is assumed absent is asked for again, and its late order is cancelled beside the new one', () => {
    take(bracket(buyMarket(BTC, 4), { target: 104 }))
    answer()
    world.act((life) => {
      life.answer(0, 'absent')
    })
    priceAt(101)
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104', 'SELL 4 at 104'])
    world.act((life) => {
      life.answer(0)
      const late = world.served.find(({ isAbsent }) => isAbsent)
      if (late !== undefined) life.appear(late)
      life.cancelled(false)
    })
    priceAt(102)
    expect(world.served.map(({ isOver }) => isOver)).toEqual([true, true, false])
    expect(sent()).toHaveLength(3)
  })

  it('a target that is assumed absent is looked for by the next session as well', () => {
    take(bracket(buyMarket(BTC, 4), { target: 104 }))
    answer()
    world.act((life) => {
      life.answer(0, 'absent')
    })
    world.dieIn(0)
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104', 'SELL 4 at 104'])
    answer(0)
    for (const order of world.served) order.isAbsent = false
    priceAt(101)
    world.act((life) => {
      life.cancelled(false)
    })
    expect(world.served.map(({ isOver }) => isOver)).toEqual([true, true, false])
  })

  it('a target that the session itself refused is asked for again after a while', () => {
    take(bracket(buyMarket(BTC, 4), { target: 104 }))
    answer()
    world.act((life) => {
      life.answer(0, 'ORDER_REJECTED')
    })
    priceAt(101)
    expect(sent()).toHaveLength(2)
    world.time += 1_000
    world.act((life) => {
      life.passTime()
    })
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104', 'SELL 4 at 104'])
  })

  it('a stop that was triggered goes on where the life ends at the cancel of its target', () => {
    take(bracket(buyMarket(BTC, 4), { stop: 98, target: 104 }))
    answer()
    answer(0)
    // The record of the trigger takes two moments, and the cancel is the next.
    world.dieIn(2)
    priceAt(97)
    world.price = 101
    world.act((life) => {
      life.cancelled(false)
    })
    expect(world.deaths).toBe(1)
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104', 'SELL 4'])
  })

  it('a bracket whose position was sold while no process ran is over', () => {
    const alone = new MortalWaits()
    alone.act((life) => {
      life.take(bracket(buyMarket(BTC, 4), { stop: 98 }))
      life.answer(4)
    })
    alone.soldPlainly = 3
    alone.dieIn(0)
    expect(alone.life.waiting.list().map(({ qty }) => String(qty))).toEqual(['1'])
    alone.soldPlainly = 4
    alone.dieIn(0)
    expect([alone.life.waiting.list(), alone.kept]).toEqual([[], []])
    expect(alone.journal.at(-1)).toBe('over w2 closed')
  })

  it('of a bracket that was given up no refused target is asked for', () => {
    take(bracket(buyMarket(BTC, 4), { target: 104 }))
    answer()
    world.act((life) => {
      life.answer(0, 'RATE_LIMITED')
      life.waiting.cancel('w1')
    })
    expect(world.kept).toEqual([])
    world.dieIn(0)
    priceAt(101)
    expect(sent()).toEqual(['BUY 4', 'SELL 4 at 104'])
  })

  it('an entry that had not left is given up, and a way out is asked for', () => {
    world.dieIn(2)
    take(bracket(buyMarket(BTC, 4), { stop: 95 }))
    expect([sent(), world.kept]).toEqual([[], []])
    take(stopSell(BTC, 98, 5))
    world.dieIn(2)
    priceAt(90)
    expect(sent()).toEqual(['SELL 5'])
  })

  it('a group goes on with its order, of which one ends the other', () => {
    take(oco(sellLimit(BTC, 105, 5), stopSell(BTC, 98, 5)))
    answer()
    world.dieIn(0)
    priceAt(97)
    expect(sent()).toEqual(['SELL 5 at 105'])
    world.act((life) => {
      life.cancelled(false)
    })
    expect(sent()).toEqual(['SELL 5 at 105', 'SELL 5'])
  })

  it('a group that was given up is cancelled to its end', () => {
    take(oco(sellLimit(BTC, 105, 5), stopSell(BTC, 98, 5)))
    answer()
    world.act((life) => {
      life.waiting.cancel('w1')
    })
    world.dieIn(0)
    expect(world.life.waiting.list()).toEqual([])
    world.act((life) => {
      life.cancelled(false)
    })
    expect(world.served.map(({ isOver }) => isOver)).toEqual([true])
    expect(world.kept).toEqual([])
  })
})
