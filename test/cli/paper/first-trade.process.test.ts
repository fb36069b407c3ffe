/** A strategy on paper misses no trade from its first event on, and its journal has each line once, when it happens. */
import { expect, it } from 'vitest'
import { liveCases, strategyOf } from '../live/rig/live-cases.ts'

const inCase = liveCases()

const WATCHES = strategyOf(
  'watches',
  "(c.log('begins'), c.trades('BTC_USD').pipe(tap(({ price }) => c.log('trade ' + price.toFixed(2))), ignoreElements()))",
)

it('a trade that follows the start at once is seen', () =>
  inCase({}, async ({ venue, start }) => {
    const session = start(WATCHES, { command: 'paper' })
    await session.until('begins')
    await venue.trade('42001.00')
    await session.until('trade 42001.00')
    expect(['run', 'credit'].map((type) => session.journal(type).length)).toEqual([1, 1])
    expect(await session.stop()).toBe(0)
    expect(['run', 'credit', 'end'].map((type) => session.journal(type).length)).toEqual([1, 1, 1])
  }))
