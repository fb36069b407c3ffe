/**
 * A session whose stream connection is lost goes on.
 */
import { expect, it } from 'vitest'
import { LAST_PRICE, liveCases, RESTS, WATCHES } from './rig/live-cases.ts'
import { repeating } from './rig/patience.ts'

const inCase = liveCases()

it.concurrent('the connection is lost: it is reported, and the session trades on', () =>
  inCase({}, async ({ venue, proxy, start }) => {
    const session = start([WATCHES, RESTS])
    await session.started()
    await repeating(() => venue.trade(LAST_PRICE), session.until('trade 42000.00'))
    proxy.cutStreams()
    await session.until(/"type":"warning".*connect/)
    await repeating(() => venue.trade('42001.00'), session.until('trade 42001.00'))
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
    expect(session.hasReport('rests')).toBe(true)
  }),
)
