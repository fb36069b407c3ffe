/** A strategy on paper misses no trade from its first event on. */
import { it } from 'vitest'
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
  }))
