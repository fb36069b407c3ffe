import { expect, it } from 'vitest'
import { HealthPings } from '../../../src/runtime/live/health-pings.ts'

const HEALTHY = { connection: 'connected', stream: 'open' } as const

it('pings at most once per period, only while healthy, and reports the first failure of several', async () => {
  let now = 0
  let isFailing = false
  const sent: number[] = []
  const troubles: string[] = []
  const pings = new HealthPings({
    clocks: { monotonic: () => now },
    everyMs: 60_000,
    needsConnection: true,
    ping: () => {
      sent.push(now)
      return Promise.resolve(isFailing ? { type: 'failed', reason: `answered 500 at ${now}` } : { type: 'accepted' })
    },
    onTrouble: (reason) => troubles.push(reason),
  })
  const at = async (seconds: number, status: Parameters<HealthPings['onStatus']>[0] = HEALTHY): Promise<void> => {
    now = seconds * 1_000
    pings.onStatus(status)
    await Promise.resolve()
    await Promise.resolve()
  }
  await at(0, { connection: 'connecting', stream: 'lost' })
  for (const seconds of [1, 30, 60, 61, 90]) await at(seconds)
  await at(125, { connection: 'connected', stream: 'lost' })
  await at(126, { connection: 'disconnected', stream: 'open' })
  await at(130, { connection: 'connected', stream: 'polling' })
  isFailing = true
  for (const seconds of [190, 250]) await at(seconds)
  isFailing = false
  await at(310)
  isFailing = true
  await at(370)
  expect(sent.map((ms) => ms / 1_000)).toEqual([1, 61, 130, 190, 250, 310, 370])
  expect(troubles).toEqual(['answered 500 at 190000', 'answered 500 at 370000'])
})

it('pings what only asks for a live process during an outage, too', () => {
  let now = 0
  const sent: number[] = []
  const pings = new HealthPings({
    clocks: { monotonic: () => now },
    everyMs: 1_000,
    needsConnection: false,
    ping: () => {
      sent.push(now)
      return new Promise(() => undefined)
    },
    onTrouble: () => undefined,
  })
  pings.onStatus({ connection: 'disconnected', stream: 'lost' })
  now = 5_000
  // One is in flight.
  pings.onStatus({ connection: 'disconnected', stream: 'lost' })
  expect(sent).toEqual([0])
})
