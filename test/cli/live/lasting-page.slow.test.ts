/**
 * A page of maintenance that stays for more than a minute.
 */
import { expect, it } from 'vitest'
import { liveCases, RESTS } from './rig/live-cases.ts'
import { eventually } from './rig/patience.ts'

const inCase = liveCases()

it('a page in the place of answers lasts for more than a minute: the session ends and names its order, and the next one takes it over', () =>
  inCase({}, async ({ venue, proxy, start }) => {
    const session = start(RESTS, { args: ['--stop-timeout', '5s'] })
    await session.started()
    await eventually(
      async () => (await venue.openOrders()).length > 0,
      () => session.output,
    )
    const [order] = await venue.openOrders()
    proxy.hooks = { onRequest: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Back soon</html>' }) } // prettier-ignore
    expect(await session.ended).toEqual({ code: 3, signal: null })
    expect(session.output).toContain(`still open on the service: order ${String(order?.id)} (`)
    expect(session.report().live).toMatchObject({
      fault: expect.stringMatching(/a web page instead of an answer from the service; this has lasted for/) as string,
    })

    proxy.hooks = {}
    const next = start(RESTS)
    await next.started()
    expect(await next.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  }))
